import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react';

const nearEndPx = 80;
type Box = RefObject<HTMLDivElement | null>;
type Followed = {
  scroller: Box;
  content: Box;
  pendingCount: number;
  hasTarget: boolean;
  /** True while a message is edited: it keeps its position, whatever grows below. */
  isEditing: boolean;
};

/** Follows the end while the reader is there. If the reader scrolled up, keeps the position and sets `isAway`. */
export function useStickToEnd({ scroller, content, pendingCount, hasTarget, isEditing }: Followed) {
  const isPinned = useRef(!hasTarget);
  const isHeld = useRef(isEditing);
  useLayoutEffect(() => {
    isHeld.current = isEditing;
  }, [isEditing]);
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (!element || !content.current) return undefined;
    let followedTo = element.scrollTop;
    const isAtEnd = () => element.scrollHeight - element.scrollTop - element.clientHeight < nearEndPx;
    const onScroll = () => {
      // Only scrolling up stops following: content that grew before the scroll event isn't the reader's scroll.
      if (isAtEnd() || element.scrollTop < followedTo) isPinned.current = isAtEnd();
      if (isAtEnd()) followedTo = element.scrollTop;
      setAway(!isPinned.current);
    };
    const onGrowth = () => {
      if (isPinned.current && !isHeld.current) {
        element.scrollTo({ top: element.scrollHeight });
        followedTo = element.scrollTop;
      }
      setAway(!isPinned.current && !isAtEnd());
    };
    const observer = new ResizeObserver(onGrowth);
    observer.observe(content.current);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, content]);
  const toEnd = () => {
    isPinned.current = true;
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  };
  const showPending = useEffectEvent(toEnd);
  useLayoutEffect(() => {
    if (pendingCount > 0) showPending();
  }, [pendingCount]);
  return { isAway, toEnd, isPinned };
}

type Staying = {
  readonly scroller: Box;
  readonly isPinned: RefObject<boolean>;
  readonly placeOf: () => number | undefined;
};

/**
 * Keeps the position on screen while the reader changes the messages below. Follows the end again if the end is in
 * sight.
 */
export async function stay({ scroller, isPinned, placeOf }: Staying, change: () => Promise<void>): Promise<void> {
  const before = placeOf();
  isPinned.current = false;
  await change();
  await new Promise((resolve) => requestAnimationFrame(resolve));
  const after = placeOf();
  const element = scroller.current;
  if (!element || before === undefined || after === undefined) return;
  element.scrollTo({ top: element.scrollTop + after - before });
  isPinned.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEndPx;
}
