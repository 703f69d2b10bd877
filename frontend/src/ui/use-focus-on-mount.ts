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
