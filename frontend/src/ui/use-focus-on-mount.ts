import { useEffect, type RefObject } from 'react';

/**
 * For a form that is the page's purpose, or that was just opened by hand. Not on touch screens: the keyboard would hide
 * it.
 */
export function useFocusOnMount(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!matchMedia('(pointer: coarse)').matches) element.current?.focus({ preventScroll: true });
  }, [element]);
}

/**
 * For the first field of a page. Whoever is at something in the page, or writes elsewhere, stays there: the field may
 * come late, with the first row of a list.
 */
export function useFirstField(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const at = document.activeElement;
    if (at?.closest('main') && at !== at.closest('main')) return;
    if (at?.matches('input, textarea, select') || matchMedia('(pointer: coarse)').matches) return;
    element.current?.focus({ preventScroll: true });
  }, [element]);
}
