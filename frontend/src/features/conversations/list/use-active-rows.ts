import { useEffect, useState, type RefObject } from 'react';
import { useNavigate } from 'react-router-dom';

export type ActiveRows = { readonly pointed: string | null; readonly focused: string | null };

/**
 * Returns the row under the pointer and the row with the focus: only these two have their menus. A menu with the focus
 * stays until the focus moves; if it were removed, Tab would start at the top of the page.
 */
export function useActiveRows(list: RefObject<HTMLElement | null>, hasRows: boolean): ActiveRows {
  const [pointed, setPointed] = useState<string | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  useEffect(() => {
    const element = list.current;
    const rowOf = (target: EventTarget | null) =>
      (target instanceof Element && element?.contains(target) && target.closest<HTMLElement>('li')?.dataset['id']) ||
      null;
    const handlers = {
      pointerover: ({ target }: Event) => setPointed(rowOf(target)),
      pointerleave: () => setPointed(null),
      focusin: ({ target }: Event) => setFocused(rowOf(target)),
      // Ignores the window's loss of focus: it returns the focus to the same element.
      focusout: (event: Event) => document.hasFocus() && setFocused(rowOf((event as FocusEvent).relatedTarget)),
    };
    for (const [name, handler] of Object.entries(handlers)) element?.addEventListener(name, handler);
    return () => {
      for (const [name, handler] of Object.entries(handlers)) element?.removeEventListener(name, handler);
    };
  }, [list, hasRows]);
  return { pointed, focused };
}

/**
 * Follows the links of all rows with one listener, because thousands of router links would render at each navigation.
 */
export function useLinks(list: RefObject<HTMLElement | null>, hasRows: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    const element = list.current;
    const follow = (event: MouseEvent) => {
      const path = (event.target as Element).closest('a')?.getAttribute('href');
      if (!path || event.defaultPrevented || event.button !== 0) return;
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      void navigate(path);
    };
    element?.addEventListener('click', follow);
    return () => element?.removeEventListener('click', follow);
  }, [list, hasRows, navigate]);
}
