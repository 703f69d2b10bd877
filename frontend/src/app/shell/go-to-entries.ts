import { Building2, Database, Settings, SquarePen, type LucideIcon } from 'lucide-react';
import { useMemo } from 'react';
import { useRight, useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { usePaths } from '../../lib/paths.ts';

export type GoToEntry = { path: string; label: string; icon: LucideIcon; group: 'chat' | 'you' | 'organisation' };

/** The pages there are, as far as one's rights go: for the settings navigation, the search and the 404. */
export function useGoToEntries(): readonly GoToEntry[] {
  const { t } = useText();
  const paths = usePaths();
  const { organisation } = useTab();
  const mayReadDocuments = useRight('data_connection:read');
  const mayUpdate = useRight('org:update');
  return useMemo(() => {
    const entries: (GoToEntry | null)[] = [
      {
        path: paths.newChat,
        label: t({ id: 'shell.entry.newChat', defaultMessage: 'New chat' }),
        icon: SquarePen,
        group: 'chat',
      },
      {
        path: paths.organisations,
        label: t({ id: 'shell.entry.organisations', defaultMessage: 'Your organisations' }),
        icon: Building2,
        group: 'you',
      },
      mayUpdate
        ? {
            path: paths.organisation(organisation.id),
            label: t({ id: 'shell.entry.organisation', defaultMessage: 'Organisation settings' }),
            icon: Settings,
            group: 'organisation',
          }
        : null,
      mayReadDocuments
        ? {
            path: paths.dataConnections,
            label: t({ id: 'shell.entry.dataConnections', defaultMessage: 'Data connections' }),
            icon: Database,
            group: 'organisation',
          }
        : null,
    ];
    return entries.filter((entry) => entry !== null);
  }, [t, paths, organisation.id, mayReadDocuments, mayUpdate]);
}
