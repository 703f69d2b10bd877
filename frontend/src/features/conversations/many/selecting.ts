import type { ConversationId } from '@parley/contracts';
import { useEffect, useEffectEvent, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { Selection } from '../state/selection.ts';

const pressMs = 500;
/** A finger that moves farther scrolls the list. */
const mostMovePx = 10;
/** A click comes at most this long after its finger left. */
const clickMs = 400;

const rowOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-id]') : null;
const idOf = (row: HTMLElement) => row.dataset['id'] as ConversationId;
const boxIn = (place: ParentNode | null) => place?.querySelector<HTMLInputElement>('input[type="checkbox"]');
const rowsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[data-id]')];

type Props = { readonly list: RefObject<HTMLElement | null>; readonly selection: Selection };

/**
 * Selects rows of a list with pointer and keyboard. Shift or Ctrl and a click, or a long touch, starts it. Shift
 * selects a range, arrow keys move between rows, Ctrl+A selects all loaded rows, and Escape ends it. One listener
 * serves all rows, which have their ids in `data-id`.
 */
export function Selecting({ list, selection }: Props): null {
  const click = useEffectEvent((event: MouseEvent) => {
    const row = rowOf(event.target);
    const isWithKey = event.ctrlKey || event.metaKey || event.shiftKey;
    if (!row || !isWithKey || (event.target as Element).closest('button')) return;
    if (!selection.isOn) {
      event.preventDefault();
      selection.begin(idOf(row));
    } else if (event.shiftKey) {
      event.preventDefault();
      event.stopPropagation();
      // Wait, because the browser first resets the checkbox whose click was prevented.
      setTimeout(() => selection.extend(idOf(row)));
    }
  });
  const press = useEffectEvent((event: KeyboardEvent) => selection.isOn && pressed(event, list.current, selection));
  const begin = useEffectEvent((id: ConversationId) => selection.isOn || selection.begin(id));
  useEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const onClick = (event: MouseEvent) => click(event);
    const onKey = (event: KeyboardEvent) => void press(event);
    const leave = onLongTouch(element, (id) => void begin(id));
    // Capture the click, to run before the listener that follows links.
    element.addEventListener('click', onClick, true);
    element.addEventListener('keydown', onKey);
    return () => {
      leave();
      element.removeEventListener('click', onClick, true);
      element.removeEventListener('keydown', onKey);
    };
  }, [list]);
  const { isOn } = selection;
  useEffect(() => {
    if (!isOn) return undefined;
    const element = list.current;
    // Wait until the menu that opened the selection has returned its focus.
    const timer = setTimeout(() => {
      const boxes = element && rowsOf(element).map(boxIn);
      (boxes?.find((box) => box?.checked) ?? boxes?.[0])?.focus();
    }, 30);
    return () => {
      clearTimeout(timer);
      // The focused checkbox is gone, so focus a link of the list.
      if (document.activeElement === document.body)
        element?.querySelector<HTMLElement>('[data-id] a')?.focus({ preventScroll: true });
    };
  }, [list, isOn]);
  return null;
}

function pressed(event: KeyboardEvent, list: HTMLElement | null, selection: Selection): void {
  const row = rowOf(event.target);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Escape') {
    // Keeps the drawer around the list open.
    event.stopPropagation();
    flushSync(selection.end);
    row?.querySelector('a')?.focus();
  } else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    selection.all();
  } else if (step && row && list) {
    event.preventDefault();
    const rows = rowsOf(list);
    const next = rows[rows.indexOf(row) + step];
    if (!next) return;
    boxIn(next)?.focus();
    if (event.shiftKey) selection.extend(idOf(next));
  }
}

/** Calls `begin` with the row under a resting finger. Returns a function that stops listening. */
function onLongTouch(list: HTMLElement, begin: (id: ConversationId) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let from = { x: 0, y: 0 };
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const handlers = {
    pointerdown: ({ pointerType, target, clientX, clientY }: PointerEvent) => {
      stop();
      const row = pointerType === 'touch' ? rowOf(target) : null;
      if (!row) return;
      from = { x: clientX, y: clientY };
      timer = setTimeout(() => {
        stop();
        ignoreClickOfTouch();
        begin(idOf(row));
      }, pressMs);
    },
    pointermove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - from.x, clientY - from.y) > mostMovePx) stop();
    },
    pointerup: stop,
    pointercancel: stop,
    // Prevents the browser's menu for links, which would cover the list.
    contextmenu: (event: PointerEvent) => event.pointerType === 'touch' && event.preventDefault(),
  };
  for (const [name, handler] of Object.entries(handlers)) list.addEventListener(name, handler as EventListener);
  return () => {
    stop();
    for (const [name, handler] of Object.entries(handlers)) list.removeEventListener(name, handler as EventListener);
  };
}

/**
 * Ignores the click that a browser may send when the finger leaves: the selection bar can be under the finger by then.
 */
function ignoreClickOfTouch(): void {
  const ignore = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  const ended = new AbortController();
  const listen = { capture: true, signal: ended.signal };
  const end = () => ended.abort();
  document.addEventListener('click', ignore, listen);
  document.addEventListener('pointerup', () => setTimeout(end, clickMs), listen);
  // Another touch has a click of its own.
  document.addEventListener('pointerdown', end, listen);
}
