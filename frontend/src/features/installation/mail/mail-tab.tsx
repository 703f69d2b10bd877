import { Mail as MailIcon } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ListView } from '../../../ui/list-view.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { DeliveryNote } from './delivery-note.tsx';
import { useMailStates } from './mail-names.ts';
import { MailTable } from './mail-table.tsx';
import { ToggleChips } from '../../../ui/text-filter.tsx';

const states = ['waiting', 'failed', 'kept', 'sent'] as const;
/** No event makes this list old: a mail belongs to nobody's room. */
const refetchMs = 5_000;

/** Every mail of the last 30 days, never its words; above it how it goes with sending. */
export function MailTab() {
  const { t } = useText();
  const names = useMailStates();
  const list = useList('GET /api/auth/mails', { filters: { state: states }, refetchMs });
  const { filters, setFilters, first } = list;
  return (
    <>
      {first ? <DeliveryNote delivery={first.delivery} /> : null}
      <ListView
        list={list}
        loading={t({ id: 'installation.mail.loading', defaultMessage: 'Loading emails…' })}
        failed={t({ id: 'installation.mail.failed', defaultMessage: 'The emails couldn’t be loaded' })}
        empty={
          <StateView icon={MailIcon} title={t({ id: 'installation.mail.empty', defaultMessage: 'No emails yet' })}>
            {t({
              id: 'installation.mail.emptyText',
              defaultMessage: 'Invitations, links for new passwords and notices to people appear here for 30 days.',
            })}
          </StateView>
        }
        filtering={{
          bar: (
            <div className={table.bar}>
              <ToggleChips
                values={states}
                nameOf={(state) => names[state]}
                chosen={filters.state}
                onChange={(state) => setFilters({ state })}
              />
            </div>
          ),
          none: t({ id: 'installation.mail.none', defaultMessage: 'No emails in this state' }),
          clear: () => setFilters({ state: null }),
        }}
        foot={t({ id: 'installation.mail.foot', defaultMessage: 'Emails are listed for 30 days.' })}
      >
        {(items) => <MailTable items={items} />}
      </ListView>
    </>
  );
}
