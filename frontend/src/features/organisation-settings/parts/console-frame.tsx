import { createContext, useContext, type ReactNode } from 'react';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { OrganisationMark } from '../../../domain/picture/avatar.tsx';
import { LivePage } from '../../../ui/page.tsx';
import { PageTabs } from '../../../ui/page-tabs.tsx';

type ConsoleTabs = {
  readonly tabs: readonly { readonly key: string; readonly label: string }[];
  readonly current: string;
};

const context = createContext<ConsoleTabs>({ tabs: [], current: '' });
/** The tabs that this person sees, and the one that is open. */
export const ConsoleTabsProvider = context.Provider;

/** One tab of an organisation's console: the organisation, the tabs, what one can do here, and below them the work. */
export function ConsoleFrame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const { t } = useText();
  const { organisation } = useTab();
  const { tabs, current } = useContext(context);
  const title = t({ id: 'organisation.page.title', defaultMessage: 'Organisation settings' });
  return (
    <LivePage
      title={<bdi>{organisation.name}</bdi>}
      documentTitle={title}
      before={<OrganisationMark name={organisation.name} size={28} />}
      actions={actions}
    >
      <PageTabs label={title} tabs={tabs} current={current} />
      {children}
    </LivePage>
  );
}
