import { Button } from '@mantine/core';
import type { ApiKey, ApiKeyId } from '@parley/contracts';
import { isWithin, keyPermissions } from '@parley/contracts/permissions';
import { isEndingSoon, useApiKeyWords } from '../../../domain/api-key/api-key-words.ts';
import { KeyFacts } from '../../../domain/api-key/key-facts.tsx';
import { useFormats } from '../../../lib/formats.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import table from '../../../ui/table.module.css';
import classes from '../parts/settings.module.css';

type Acts = { readonly onReplace: (key: ApiKey) => void; readonly onRevoke: (key: ApiKey) => void };
type Props = Acts & { readonly items: readonly ApiKey[]; readonly newId: ApiKeyId | null };

/** Those that work, and below them, as a group of their own, those that do not any more. */
export function KeyTable({ items, newId, ...acts }: Props) {
  const { t } = useText();
  const { columns } = useApiKeyWords();
  const working = items.filter(({ ended }) => ended === null);
  const dead = items.filter(({ ended }) => ended !== null);
  return (
    <table className={`p-sm ${table.table} p-data`}>
      <thead>
        <tr>
          <th>{columns.key}</th>
          <th>{columns.may}</th>
          <th>{columns.used}</th>
          <th>{columns.ends}</th>
          <th>{columns.state}</th>
          <th>
            <span className="p-hidden">{columns.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {working.map((key) => (
          <KeyRow key={key.id} apiKey={key} isNew={key.id === newId} acts={acts} />
        ))}
      </tbody>
      {dead.length > 0 ? (
        <tbody>
          <tr className={classes.group}>
            <th colSpan={6} scope="rowgroup">
              {t({ id: 'settings.keys.dead', defaultMessage: 'No longer work' })}
            </th>
          </tr>
          {dead.map((key) => (
            <KeyRow key={key.id} apiKey={key} isNew={false} acts={null} />
          ))}
        </tbody>
      ) : null}
    </table>
  );
}

function KeyRow({ apiKey, isNew, acts }: { apiKey: ApiKey; isNew: boolean; acts: Acts | null }) {
  const { t } = useText();
  const { date } = useFormats();
  const { name, prefix, createdAt, ended } = apiKey;
  const isAll = useIsAll(apiKey);
  return (
    <tr data-new={isNew || undefined} className={ended ? classes.dead : undefined}>
      <td>
        <bdi className={table.name}>{name}</bdi>
        <span className={`${table.second} ${table.line}`}>
          <bdi dir="ltr" className="p-mono">
            {prefix}…
          </bdi>
          {' · '}
          {date(createdAt)}
        </span>
      </td>
      <KeyFacts
        apiKey={apiKey}
        all={isAll ? t({ id: 'settings.keys.all', defaultMessage: 'All your permissions' }) : null}
        isUnusedQuiet
      />
      <td className={`${table.actions} ${classes.acts}`}>{acts ? <RowActs apiKey={apiKey} acts={acts} /> : null}</td>
    </tr>
  );
}

/** Whether it was given all that its owner may, as far as keys may it. */
function useIsAll({ permissions }: ApiKey): boolean {
  const { organisation } = useTab();
  return isWithin(
    keyPermissions.filter((right) => organisation.permissions.includes(right)),
    permissions,
  );
}

function RowActs({ apiKey, acts: { onReplace, onRevoke } }: { apiKey: ApiKey; acts: Acts }) {
  const { t } = useText();
  const { revoke } = useApiKeyWords();
  const off = useActionOff();
  const of = <span className="p-hidden">: {apiKey.name}</span>;
  return (
    <div className={table.rowActions}>
      {isEndingSoon(apiKey) ? (
        <Button variant="default" size="xs" onClick={() => onReplace(apiKey)} {...off}>
          {t({ id: 'settings.keys.replace', defaultMessage: 'Replace' })}
          {of}
        </Button>
      ) : null}
      <Button variant="default" size="xs" c="var(--p-danger)" onClick={() => onRevoke(apiKey)} {...off}>
        {revoke}
        {of}
      </Button>
    </div>
  );
}
