import { scrollerOf } from './scroller-of.ts';

/** Scrolls what is around an element, and nothing further out, until it stands in the upper half. */
export function scrollToMiddle(element: Element): void {
  const scroller = scrollerOf(element);
  if (!scroller) return;
  const below = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  scroller.scrollTop += below - scroller.clientHeight / 3;
}
