import type { ApiKey } from '@parley/contracts';
import { useFormats } from '../../lib/formats.ts';
import table from '../../ui/table.module.css';
import { useApiKeyWords } from './api-key-words.ts';
import { Status } from '../../ui/list-table.tsx';

type Props = {
  apiKey: ApiKey;
  /** Replaces the permissions if the key has all that its owner has. */
  all?: string | null;
  /** Greys out the last use of a key that was never used. */
  isUnusedQuiet?: boolean;
};

/** Shows what a key can do, when it was used last, when it ends, and its state: four cells. */
export function KeyFacts({ apiKey, all = null, isUnusedQuiet = false }: Props) {
  const words = useApiKeyWords();
  const { exact } = useFormats();
  const { lastUsedAt, lastUsedFrom, endsAt, ended } = apiKey;
  const rights = words.rightsOf(apiKey);
  const { kind, label } = words.stateOf(apiKey);
  return (
    <>
      <td data-label={words.columns.may} title={rights.all}>
        {all ?? rights.first}
        {rights.more && !all ? <span className={table.second}>{rights.more}</span> : null}
      </td>
      <td
        className={isUnusedQuiet && !lastUsedAt ? table.quiet : undefined}
        data-label={words.columns.used}
        title={lastUsedAt ? exact(lastUsedAt) : undefined}
      >
        {words.lastUseOf(apiKey)}
        {lastUsedFrom ? (
          <bdi dir="ltr" className={table.second}>
            {lastUsedFrom}
          </bdi>
        ) : null}
      </td>
      <td className={table.line} data-label={ended ? words.columns.ended : words.columns.ends} title={exact(endsAt)}>
        {words.endDateOf(apiKey)}
      </td>
      <td>
        <Status kind={kind}>{label}</Status>
        {ended?.reason ? <bdi className={table.second}>{ended.reason}</bdi> : null}
      </td>
    </>
  );
}
