import { signedInPages, type EntryPage } from '@parley/contracts/pages';
import type { LucideIcon } from 'lucide-react';
import { usePaths } from '../../lib/paths.ts';
import { useText } from '../../lib/text.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useMayOpen } from '../may-open.ts';
import { signedInFeatures } from '../signed-in-features.ts';

export type GoToEntry = {
  path: string;
  feature: EntryPage['feature'];
  label: string;
  icon: LucideIcon;
  group: EntryPage['group'];
};

const entryPages = signedInPages.filter((page): page is EntryPage => page.group !== null);

/** The pages with an entry, as far as one's rights go: for the settings navigation, the search and the 404. */
export function useGoToEntries(): readonly GoToEntry[] {
  const paths = usePaths();
  const { t } = useText();
  const mayOpen = useMayOpen();
  const orgId = useTab().organisation.id;
  return entryPages.filter(mayOpen).map(({ path, feature, group }) => {
    const { name, icon } = signedInFeatures[feature];
    return { path: paths.to(path, { orgId }), feature, label: t(name), icon, group };
  });
}
