import { createContext, useContext, useState, type ReactNode } from 'react';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { Drafts } from './drafts.ts';

const context = createContext<Drafts | null>(null);

/** Keeps drafts as long as the tab's organisation, so that typed text is saved on all pages. */
export function DraftsProvider({ children }: { children: ReactNode }) {
  const { me, organisation } = useTab();
  const [drafts] = useState(() => new Drafts(`parley.draft.${me.id}.${organisation.id}`));
  return <context.Provider value={drafts}>{children}</context.Provider>;
}

export function useDrafts(): Drafts {
  const drafts = useContext(context);
  if (!drafts) throw new Error('useDrafts outside of DraftsProvider');
  return drafts;
}
