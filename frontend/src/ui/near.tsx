import {
  createContext,
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

/** One observer for all entries of a list. */
class NearObserver {
  readonly #told = new WeakMap<Element, (entry: IntersectionObserverEntry) => void>();
  #observer: IntersectionObserver | null = null;

  observe(element: Element, tell: (entry: IntersectionObserverEntry) => void): () => void {
    const tellAll = (entries: IntersectionObserverEntry[]) =>
      entries.forEach((entry) => this.#told.get(entry.target)?.(entry));
    const observer = (this.#observer ??= new IntersectionObserver(tellAll, {
      root: scrollerOf(element),
      rootMargin: `${marginPx}px 0px`,
    }));
    this.#told.set(element, tell);
    observer.observe(element);
    return () => observer.unobserve(element);
  }
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
      setPlace((before) =>
        before.isNear === isIntersecting
          ? before
          : isIntersecting
            ? { isNear: true }
            : { isNear: false, height: boundingClientRect.height },
      );
    });
  }, [observer]);
  return { ref, isNear, style: height === undefined ? undefined : { height } };
}
