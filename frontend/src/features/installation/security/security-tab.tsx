import { ShieldCheck } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ListView } from '../../../ui/list-view.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { useSecurityKinds } from './security-names.ts';
import { SecurityTable } from './security-table.tsx';
import { ToggleChips } from '../../../ui/text-filter.tsx';

const kinds = ['signed-in', 'signed-out', 'password-confirmed', 'sign-in-failed'] as const;
/** No event reaches platform admins when other people sign in. */
const refetchMs = 5_000;

/** Lists sign-ins, sign-outs and failed sign-ins of the last 90 days. */
export function SecurityTab() {
  const { t } = useText();
  const names = useSecurityKinds();
  const list = useList('GET /api/auth/security-log', { filters: { kind: kinds }, refetchMs });
  const { filters, setFilters } = list;
  return (
    <ListView
      list={list}
      loading={t({ id: 'installation.security.loading', defaultMessage: 'Loading security log…' })}
      failed={t({ id: 'installation.security.failed', defaultMessage: "The security log couldn't be loaded" })}
      empty={
        <StateView
          icon={ShieldCheck}
          title={t({ id: 'installation.security.empty', defaultMessage: 'No security events yet' })}
        >
          {t({
            id: 'installation.security.emptyText',
            defaultMessage: 'Sign-ins, sign-outs and failed sign-ins appear here for 90 days.',
          })}
        </StateView>
      }
      filtering={{
        bar: (
          <div className={table.bar}>
            <ToggleChips
              values={kinds}
              nameOf={(kind) => names[kind].words}
              chosen={filters.kind}
              onChange={(kind) => setFilters({ kind })}
            />
          </div>
        ),
        none: t({ id: 'installation.security.none', defaultMessage: 'No events of this kind' }),
        clear: () => setFilters({ kind: null }),
      }}
      foot={t({
        id: 'installation.security.foot',
        defaultMessage: 'Entries are kept for 90 days. Failed sign-ins are counted per account and hour.',
      })}
    >
      {(items) => <SecurityTable items={items} />}
    </ListView>
  );
}
