import { useEffect, useRef, useState, type FocusEvent, type PointerEvent, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import classes from './tooltip.module.css';

const delayMs = 400;
const gapPx = 6;
/** Above, but for what stands so near the top that there is no room. */
const roomPx = 48;

/**
 * A name for eyes, when the pointer rests on a control or the keyboard reaches it; screen readers have it from the
 * control itself. A tooltip of the design system would bring as much code again as all menus need.
 */
export function useTooltip(label: ReactNode) {
  const [anchor, setAnchor] = useState<Element | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const hide = () => {
    clearTimeout(timer.current);
    setAnchor(null);
  };
  const handlers = {
    onPointerEnter: ({ currentTarget, pointerType }: PointerEvent) => {
      if (pointerType === 'mouse') timer.current = setTimeout(() => setAnchor(currentTarget), delayMs);
    },
    onFocus: ({ currentTarget }: FocusEvent) => currentTarget.matches(':focus-visible') && setAnchor(currentTarget),
    onPointerLeave: hide,
    onPointerDown: hide,
    onBlur: hide,
    onKeyDown: hide,
  };
  return { handlers, tooltip: anchor && createPortal(<Label anchor={anchor}>{label}</Label>, document.body) };
}

function Label({ anchor, children }: { anchor: Element; children: ReactNode }) {
  const place = (label: HTMLElement | null) => {
    if (!label) return;
    const { top, bottom, left, width } = anchor.getBoundingClientRect();
    const end = document.documentElement.clientWidth - label.offsetWidth - gapPx;
    label.style.left = `${Math.max(gapPx, Math.min(left + (width - label.offsetWidth) / 2, end))}px`;
    label.style.top = `${top < roomPx ? bottom + gapPx : top - label.offsetHeight - gapPx}px`;
  };
  return (
    <span ref={place} className={classes.tooltip} aria-hidden="true">
      {children}
    </span>
  );
}
