import {
  createContext,
  startTransition,
  useContext,
  useEffect,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
  type RefObject,
} from 'react';
import { scrollerOf } from './scroller-of.ts';

/** How far outside of the visible part something still counts as near. */
const marginPx = 1200;

/**
 * One observer for all entries of a list. Fast scrolling brings many entries near at once; one of them is laid out per
 * frame, the nearest to the middle first, so that no task of the page takes long.
 */
class NearObserver {
  readonly #told = new WeakMap<Element, (entry: IntersectionObserverEntry) => void>();
  readonly #waiting = new Map<Element, IntersectionObserverEntry>();
  #observer: IntersectionObserver | null = null;
  #hasFrame = false;

  observe(element: Element, tell: (entry: IntersectionObserverEntry) => void): () => void {
    const tellAll = (entries: IntersectionObserverEntry[]) => entries.forEach((entry) => this.#take(entry));
    const observer = (this.#observer ??= new IntersectionObserver(tellAll, {
      root: scrollerOf(element),
      rootMargin: `${marginPx}px 0px`,
    }));
    this.#told.set(element, tell);
    observer.observe(element);
    return () => {
      observer.unobserve(element);
      this.#waiting.delete(element);
    };
  }

  #take(entry: IntersectionObserverEntry): void {
    this.#waiting.delete(entry.target);
    if (!entry.isIntersecting) return this.#tell(entry);
    this.#waiting.set(entry.target, entry);
    if (!this.#hasFrame) this.#askForFrame();
  }

  #tellNearest(): void {
    const distances = [...this.#waiting.values()].map((entry) => ({ entry, px: distanceToMiddle(entry) }));
    const nearest = distances.toSorted((one, other) => one.px - other.px)[0]?.entry;
    if (nearest) this.#waiting.delete(nearest.target);
    this.#hasFrame = false;
    if (this.#waiting.size > 0) this.#askForFrame();
    if (nearest) this.#tell(nearest);
  }

  #askForFrame(): void {
    this.#hasFrame = true;
    requestAnimationFrame(() => this.#tellNearest());
  }

  #tell(entry: IntersectionObserverEntry): void {
    this.#told.get(entry.target)?.(entry);
  }
}

/** From where an entry is now to the middle of what scrolls it, in px. */
function distanceToMiddle({ target, rootBounds }: IntersectionObserverEntry): number {
  const { top, bottom } = target.getBoundingClientRect();
  const middle = rootBounds ? (rootBounds.top + rootBounds.bottom) / 2 : 0;
  return Math.max(top - middle, middle - bottom, 0);
}

const context = createContext<NearObserver | null>(null);

/** Around a long list inside of what scrolls it. */
export function NearProvider({ children }: { children: ReactNode }) {
  const [observer] = useState(() => (typeof IntersectionObserver === 'undefined' ? null : new NearObserver()));
  return <context.Provider value={observer}>{children}</context.Provider>;
}

type Near<Entry extends HTMLElement> = {
  ref: RefObject<Entry | null>;
  isNear: boolean;
  /** Of an entry that is far: the size it had. */ style: CSSProperties | undefined;
};

/**
 * Far entries of a list keep their text, so that the browser's search, screen readers and the order of everything stay
 * as they are, and drop what is costly: layout, controls, listeners. An entry with the focus counts as near.
 */
export function useNear<Entry extends HTMLElement>(startsNear: boolean): Near<Entry> {
  const observer = useContext(context);
  const ref = useRef<Entry>(null);
  const [{ isNear, height }, setPlace] = useState<{ isNear: boolean; height?: number }>({
    isNear: startsNear || observer === null,
  });
  useEffect(() => {
    if (!observer || !ref.current) return undefined;
    return observer.observe(ref.current, ({ isIntersecting, target, boundingClientRect }) => {
      if (!isIntersecting && target.contains(document.activeElement)) return;
      // Urgent updates, one after the other on a slow device, would look like a loop to React: it ends them at 50.
      startTransition(() =>
        setPlace((before) =>
          before.isNear === isIntersecting
            ? before
            : isIntersecting
              ? { isNear: true }
              : { isNear: false, height: boundingClientRect.height },
        ),
      );
    });
  }, [observer]);
  return { ref, isNear, style: height === undefined ? undefined : { height } };
}
