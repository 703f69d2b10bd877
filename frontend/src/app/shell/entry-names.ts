import type { SignedInPage } from '@parley/contracts/pages';
import { Building2, Database, Settings, SquarePen, type LucideIcon } from 'lucide-react';
import { useText } from '../../lib/text.ts';

/** How the features are called in the sidebar, in the search, on the page of a wrong address and without the right. */
export function useEntryNames(): Record<SignedInPage['feature'], { label: string; icon: LucideIcon }> {
  const { t } = useText();
  return {
    conversations: { label: t({ id: 'shell.entry.newChat', defaultMessage: 'New chat' }), icon: SquarePen },
    organisations: {
      label: t({ id: 'shell.entry.organisations', defaultMessage: 'Your organisations' }),
      icon: Building2,
    },
    'organisation-settings': {
      label: t({ id: 'shell.entry.organisation', defaultMessage: 'Organisation settings' }),
      icon: Settings,
    },
    documents: { label: t({ id: 'shell.entry.dataConnections', defaultMessage: 'Data connections' }), icon: Database },
  };
}
