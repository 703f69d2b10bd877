import { Button } from '@mantine/core';
import type { ApiKey } from '@parley/contracts';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useApiKeyWords } from '../../../domain/api-key/api-key-words.ts';
import { KeyFacts } from '../../../domain/api-key/key-facts.tsx';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { PersonAvatar } from '../../../domain/picture/avatar.tsx';
import { ListTable, type Column } from '../../../ui/list-table.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { TextFilter, ToggleChips } from '../../../ui/text-filter.tsx';
import { ConsoleFrame } from '../parts/console-frame.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';

const states = ['working', 'ended'] as const;

/** The API keys of everybody in the organisation: whose they are, what they may, and a way to end each. */
export function KeysTab() {
  const { t } = useText();
  const list = useList('GET /api/auth/api-keys', { filters: { text: 'text', state: states } });
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const columns = useColumns();
  return (
    <ConsoleFrame>
      <ListView
        list={list}
        loading={t({ id: 'organisation.keys.loading', defaultMessage: 'The API keys are loading' })}
        failed={t({ id: 'organisation.keys.failed', defaultMessage: 'The API keys could not be loaded' })}
        empty={
          <StateView
            icon={KeyRound}
            title={t({ id: 'organisation.keys.empty', defaultMessage: 'Nobody has an API key here' })}
          >
            {t({
              id: 'organisation.keys.emptyText',
              defaultMessage:
                'People make keys for their programs under “Profile and security”. You see and end them here.',
            })}
          </StateView>
        }
        filtering={{
          bar: <FilterBar filters={list.filters} onChange={list.setFilters} />,
          none: t({ id: 'organisation.keys.none', defaultMessage: 'No key matches' }),
          about: t({
            id: 'organisation.keys.noneText',
            defaultMessage: 'The search looks at the beginnings of words in people’s names.',
          }),
          clear: () => list.setFilters({ text: null, state: null }),
        }}
        foot={t({
          id: 'organisation.keys.foot',
          defaultMessage:
            'A key has the permissions that it was given, as long as its owner has them; it stops with the membership. Expired and revoked keys are listed here for 90 days.',
        })}
      >
        {(items) => (
          <ListTable columns={columns} items={items} cells={(key) => <Cells apiKey={key} onRevoke={setRevoking} />} />
        )}
      </ListView>
      {revoking ? <RevokeKeyDialog apiKey={revoking} onClose={() => setRevoking(null)} /> : null}
    </ConsoleFrame>
  );
}

type Filters = { readonly text: string | null; readonly state: (typeof states)[number] | null };

function FilterBar({ filters, onChange }: { filters: Filters; onChange: (part: Partial<Filters>) => void }) {
  const { t } = useText();
  const labels = {
    working: t({ id: 'organisation.keys.working', defaultMessage: 'Working' }),
    ended: t({ id: 'organisation.keys.ended', defaultMessage: 'Ended' }),
  };
  return (
    <div className={table.bar}>
      <TextFilter
        label={t({ id: 'organisation.keys.search', defaultMessage: 'Whose key' })}
        text={filters.text}
        onChange={(text) => onChange({ text })}
      />
      <ToggleChips
        values={states}
        nameOf={(state) => labels[state]}
        chosen={filters.state}
        onChange={(state) => onChange({ state })}
      />
    </div>
  );
}

function useColumns(): Column[] {
  const { t } = useText();
  const { columns } = useApiKeyWords();
  return [
    { key: 'key', label: columns.key },
    { key: 'owner', label: t({ id: 'organisation.keys.owner', defaultMessage: 'Whose' }) },
    { key: 'may', label: columns.may },
    { key: 'used', label: columns.used },
    { key: 'ends', label: columns.ends },
    { key: 'state', label: columns.state },
    { key: 'actions', label: columns.actions, isHidden: true },
  ];
}

function Cells({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: (key: ApiKey) => void }) {
  const { revoke } = useApiKeyWords();
  const off = useActionOff();
  const { owner, name, prefix, ended } = apiKey;
  return (
    <>
      <td>
        <bdi className={table.name}>{name}</bdi>
        <bdi dir="ltr" className={`${table.second} p-mono`}>
          {prefix}…
        </bdi>
      </td>
      <td>
        <span className={table.named}>
          <PersonAvatar id={owner.userId} name={owner.name} size={24} />
          <bdi>{owner.name}</bdi>
        </span>
      </td>
      <KeyFacts apiKey={apiKey} />
      <td className={table.actions}>
        {ended ? null : (
          <Button variant="default" size="xs" c="var(--p-danger)" onClick={() => onRevoke(apiKey)} {...off}>
            {revoke}
            <span className="p-hidden">: {name}</span>
          </Button>
        )}
      </td>
    </>
  );
}
