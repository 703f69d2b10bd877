import type { EntryPage } from '@parley/contracts/pages';
import { billingTabs } from '../../features/billing/billing-tabs.ts';
import { feedbackTabs } from '../../features/feedback/feedback-tabs.ts';
import { installationTabs } from '../../features/installation/installation-tabs.ts';
import { consoleTabs } from '../../features/organisation-settings/console-tabs.ts';
import { permissionTabs } from '../../features/permissions/permission-tabs.ts';
import type { Entry } from '../../features/search/palette-options.ts';
import { settingsTabs } from '../../features/settings/settings-tabs.ts';
import { useMaySeeTab, type PageTab } from '../../lib/page-tab.ts';
import { usePaths } from '../../lib/paths.ts';
import { useText } from '../../lib/text.ts';
import type { GoToEntry } from './go-to-entries.ts';

const tabsOf: Partial<Record<EntryPage['feature'], readonly PageTab[]>> = {
  settings: settingsTabs,
  'organisation-settings': consoleTabs,
  permissions: permissionTabs,
  feedback: feedbackTabs,
  billing: billingTabs,
  installation: installationTabs,
};

/** The tabs of these pages, as far as the person can see them: only the search lists them, once it has words. */
export function useTabEntries(pages: readonly GoToEntry[]): readonly Entry[] {
  const { t } = useText();
  const paths = usePaths();
  const maySee = useMaySeeTab();
  return pages.flatMap(({ path, feature, label: about, icon }) =>
    (tabsOf[feature] ?? [])
      .filter(maySee)
      .map(({ key, name }): Entry => ({
        key: `${path} ${key}`,
        group: 'settings',
        path: paths.within(path, { tab: key }),
        label: t(name),
        about,
        icon,
        isOnlyFound: true,
      })),
  );
}
