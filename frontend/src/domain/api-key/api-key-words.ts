import type { ApiKey } from '@parley/contracts';
import { usePermissionNames } from '../permission/permission-catalogue.ts';
import { useFormats } from '../../lib/formats.ts';
import { useText } from '../../lib/text.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** So long before its end a key wants to be replaced. */
const soonMs = 7 * dayMs;
const mostNamed = 2;

/** Ends within a week: whoever uses it needs another one. */
export const isEndingSoon = ({ ended, endsAt }: ApiKey, now = Date.now()): boolean =>
  ended === null && Date.parse(endsAt) - now <= soonMs;

/** What lists say of a key: what it may, when it was used last, and how it stands. */
export function useApiKeyWords() {
  const { t, intl } = useText();
  const { date, ago } = useFormats();
  const nameOf = usePermissionNames();
  const stateOf = (key: ApiKey) => {
    const { ended, endsAt, lastUsedAt } = key;
    if (ended) return { kind: 'off', label: endOf(ended) } as const;
    if (isEndingSoon(key))
      return {
        kind: 'warning',
        label: t(
          { id: 'apiKey.state.soon', defaultMessage: 'Ends {when}' },
          { when: intl.formatRelativeTime(...untilOf(endsAt)) },
        ),
      } as const;
    return lastUsedAt === null
      ? ({ kind: 'new', label: t({ id: 'apiKey.state.unused', defaultMessage: 'Not used yet' }) } as const)
      : ({ kind: 'ok', label: t({ id: 'apiKey.state.active', defaultMessage: 'Active' }) } as const);
  };
  const endOf = ({ how, by }: NonNullable<ApiKey['ended']>) => {
    if (how === 'expired') return t({ id: 'apiKey.state.expired', defaultMessage: 'Expired' });
    if (how === 'left') return t({ id: 'apiKey.state.left', defaultMessage: 'Owner has left' });
    return t({ id: 'apiKey.state.revoked', defaultMessage: 'Revoked by {name}' }, { name: by?.name ?? '' });
  };
  return {
    stateOf,
    /** The first rights in words, how many more there are, and all of them. */
    rightsOf: ({ permissions }: ApiKey) => {
      // `org:read` has no words: nothing asks for it.
      const names = permissions.filter((right) => right !== 'org:read').map(nameOf);
      const more = names.length - mostNamed;
      return {
        first: intl.formatList(names.slice(0, mostNamed), { type: 'unit', style: 'short' }),
        more:
          more > 0
            ? t(
                { id: 'apiKey.rights.more', defaultMessage: 'and {more, plural, one {# more} other {# more}}' },
                { more },
              )
            : null,
        all: names.join('\n'),
      };
    },
    lastUseOf: ({ lastUsedAt }: ApiKey) =>
      lastUsedAt === null ? t({ id: 'apiKey.use.never', defaultMessage: 'Never' }) : ago(lastUsedAt),
    endDateOf: ({ endsAt }: ApiKey) => date(endsAt),
    columns: {
      key: t({ id: 'apiKey.column.key', defaultMessage: 'Key' }),
      may: t({ id: 'apiKey.column.may', defaultMessage: 'Permissions' }),
      used: t({ id: 'apiKey.column.used', defaultMessage: 'Last use' }),
      ends: t({ id: 'apiKey.column.ends', defaultMessage: 'Ends' }),
      ended: t({ id: 'apiKey.column.ended', defaultMessage: 'Ended' }),
      state: t({ id: 'apiKey.column.state', defaultMessage: 'State' }),
      actions: t({ id: 'apiKey.column.actions', defaultMessage: 'Actions' }),
    },
    revoke: t({ id: 'apiKey.revoke.button', defaultMessage: 'Revoke' }),
    revokeTitle: ({ name }: ApiKey) =>
      t({ id: 'apiKey.revoke.title', defaultMessage: 'Revoke the key “{name}”?' }, { name }),
    revokeConfirm: t({ id: 'apiKey.revoke.confirm', defaultMessage: 'Revoke key' }),
  };
}

/** In days, or in hours on the last one. */
function untilOf(endsAt: string): [number, 'day' | 'hour'] {
  const ms = Date.parse(endsAt) - Date.now();
  return ms >= dayMs ? [Math.round(ms / dayMs), 'day'] : [Math.ceil(ms / hourMs), 'hour'];
}
