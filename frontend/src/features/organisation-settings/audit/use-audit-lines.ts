import type {
  AuditChange,
  AuditCode,
  AuditField,
  AuditModel,
  AuditRef,
  AuditTarget,
  AuditValue,
} from '@parley/contracts';
import type { Permission } from '@parley/contracts/permissions';
import { useMemo } from 'react';
import { defineMessages } from 'react-intl';
import { useFormats } from '../../../lib/formats.ts';
import { usePermissionNames } from '../../../domain/permission/permission-catalogue.ts';
import { useRoleName } from '../../../domain/role/role-names.ts';
import { useText } from '../../../lib/text.ts';
import { auditCodes, auditFields, auditNouns, unknownRefs } from '../state/audit-words.ts';
import { useWebhookWords } from '../webhooks/webhook-words.ts';

type Kind = AuditValue['kind'];
type Of<Wanted extends Kind> = Extract<AuditValue, { kind: Wanted }>;
type Writers = { readonly [One in Kind]: (value: Of<One>) => readonly string[] };
/** What is not as it was, in words: of a set only what went and what came. */
export type AuditDifference = {
  readonly field: AuditField;
  readonly label: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
};

const modelTexts = defineMessages({
  context: {
    id: 'organisation.audit.value.modelContext',
    defaultMessage:
      '{images, select, yes {{model} (context length: {tokens}, accepts images)} no {{model} (context length: {tokens}, doesn’t accept images)} other {{model} (context length: {tokens})}}',
  },
  images: {
    id: 'organisation.audit.value.modelImages',
    defaultMessage: '{images, select, yes {{model} (accepts images)} other {{model} (doesn’t accept images)}}',
  },
});

/** The one way in which each kind of value is written. */
function useWriters(): Writers {
  const { t, intl } = useText();
  const { number, money, price, date, size } = useFormats();
  const roleName = useRoleName();
  const permissionName = usePermissionNames();
  return useMemo(() => {
    const nameOf = ({ of, id, name }: AuditRef): string =>
      name ?? (of === 'role' && !id.startsWith('rol_') ? roleName({ id: id as never, name }) : t(unknownRefs[of]));
    const modelText = ({ name, tokens, images: accepts }: AuditModel): string => {
      // Code, whose order no script around it changes.
      const model = `\u2066${name}\u2069`;
      const images = accepts === null ? 'unknown' : accepts ? 'yes' : 'no';
      if (tokens === null && accepts === null) return name;
      if (tokens === null) return t(modelTexts.images, { model, images });
      return t(modelTexts.context, { model, tokens: number(tokens), images });
    };
    return {
      money: ({ amount, unit, currency }) => [
        currency === null ? number(amount / 1e6) : (unit === 'micro' ? price : money)(amount, currency),
      ],
      tokens: ({ count }) => [
        t(
          { id: 'organisation.audit.value.tokens', defaultMessage: '{count, plural, one {# token} other {# tokens}}' },
          { count },
        ),
      ],
      count: ({ count }) => [number(count)],
      bytes: ({ count }) => [size(count)],
      unlimited: () => [t({ id: 'organisation.audit.value.unlimited', defaultMessage: 'No limit' })],
      text: ({ text }) => [text],
      texts: ({ texts }) => texts,
      models: ({ models }) => models.map(modelText),
      code: ({ code }) => [code in auditCodes ? t(auditCodes[code]) : code],
      flag: ({ isOn }) => [
        isOn
          ? t({ id: 'organisation.audit.value.on', defaultMessage: 'On' })
          : t({ id: 'organisation.audit.value.off', defaultMessage: 'Off' }),
      ],
      permissions: ({ permissions }) => permissions.map((one) => permissionName(one as Permission)),
      refs: ({ refs }) => refs.map(nameOf),
      everybody: () => [t({ id: 'organisation.audit.value.everybody', defaultMessage: 'Everyone' })],
      language: ({ locale }) => [new Intl.DisplayNames(intl.locale, { type: 'language' }).of(locale) ?? locale],
      time: ({ at }) => [date(at)],
    };
  }, [t, intl, number, money, price, date, size, roleName, permissionName]);
}

/** Entries of the audit log in words. */
export function useAuditLines() {
  const { t, intl } = useText();
  const writers = useWriters();
  const { typeNames } = useWebhookWords();
  return useMemo(() => {
    const none = t({ id: 'organisation.audit.value.none', defaultMessage: 'None' });
    const write = (field: AuditField, value: AuditValue): readonly string[] => {
      if (field === 'eventTypes' && value.kind === 'texts') return typeNames(value.texts);
      // Entries made before these fields were codes.
      if ((field === 'service' || field === 'source') && value.kind === 'text')
        return writers.code({ kind: 'code', code: value.text as AuditCode });
      return (writers[value.kind] as (value: AuditValue) => readonly string[])(value);
    };
    const wordsOf = (field: AuditField, value: AuditValue | null | undefined): readonly string[] => {
      if (value === undefined) return [];
      const words = value === null ? [] : write(field, value);
      return words.length > 0 ? words : [none];
    };
    const differenceOf = ({ field, before, after }: AuditChange): AuditDifference => {
      const [was, is] = [wordsOf(field, before), wordsOf(field, after)];
      const isSet = was.length > 1 || is.length > 1;
      return {
        field,
        label: field in auditFields ? t(auditFields[field]) : field,
        removed: isSet ? was.filter((word) => !is.includes(word)) : was,
        added: isSet ? is.filter((word) => !was.includes(word)) : is,
      };
    };
    return {
      differenceOf,
      targetOf: ({ of, name }: Pick<AuditTarget, 'of' | 'name'>): string => name ?? t(auditNouns[of]),
      /** In one line: `Role: Member → Guest`. */
      lineOf: (change: AuditChange): string => {
        const { label: field, removed, added } = differenceOf(change);
        const [before, after] = [intl.formatList(removed), intl.formatList(added)];
        const value = before || after;
        return before && after
          ? t(
              { id: 'organisation.audit.line.change', defaultMessage: '{field}: {before} → {after}' },
              { field, before, after },
            )
          : t({ id: 'organisation.audit.line.value', defaultMessage: '{field}: {value}' }, { field, value });
      },
    };
  }, [t, intl, writers, typeNames]);
}
