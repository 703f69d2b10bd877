import { signedInPages, type EntryPage } from '@parley/contracts/pages';
import type { LucideIcon } from 'lucide-react';
import { usePaths } from '../../lib/paths.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useMayOpen } from '../may-open.ts';
import { useEntryNames } from './entry-names.ts';

export type GoToEntry = { path: string; label: string; icon: LucideIcon; group: EntryPage['group'] };

const entryPages = signedInPages.filter((page): page is EntryPage => page.group !== null);

/** The pages with an entry, as far as one's rights go: for the settings navigation, the search and the 404. */
export function useGoToEntries(): readonly GoToEntry[] {
  const paths = usePaths();
  const names = useEntryNames();
  const mayOpen = useMayOpen();
  const orgId = useTab().organisation.id;
  return entryPages
    .filter(mayOpen)
    .map(({ path, feature, group }) => ({ path: paths.to(path, { orgId }), ...names[feature], group }));
}
