import { createContext, use, useEffect, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useMediaQuery } from '../lib/use-media-query.ts';

/** Beside the sheet of a visitor's page: where it is, and how a page says that it has something to show there. */
export const VisitorAsideContext = createContext<{
  readonly host: HTMLElement | null;
  readonly setTaken: (isTaken: boolean) => void;
}>({ host: null, setTaken: () => {} });

/** Shows its children beside the sheet, in place of the sample; in narrow windows where it stands. */
export function VisitorAside({ children }: { children: ReactNode }) {
  const { host, setTaken } = use(VisitorAsideContext);
  const isNarrow = useMediaQuery('(max-width: 899px)');
  useEffect(() => {
    setTaken(true);
    return () => setTaken(false);
  }, [setTaken]);
  return host === null || isNarrow ? children : createPortal(children, host);
}
