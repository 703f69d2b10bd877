import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Audience, GroupId, Member, RoleKey } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { KeyRound, Lock, Search, Users, X } from 'lucide-react';
import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useRight, useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { useGroups, useRoles } from '../role/use-roles.ts';
import { useSettled } from '../../lib/use-settled.ts';
import { PersonAvatar } from '../picture/avatar.tsx';
import classes from './audience-field.module.css';

type Some = Extract<Audience, { kind: 'some' }>;
type Choice = {
  readonly key: string;
  readonly kind: 'role' | 'group' | 'person';
  readonly name: string;
  readonly mark: ReactNode;
  readonly add: (to: Some) => Some;
  readonly remove: (from: Some) => Some;
};
const everybody: Audience = { kind: 'everybody' };
const nobody: Some = { kind: 'some', roles: [], groupIds: [], userIds: [] };
const mostShown = 8;

type Props = {
  /** What it is an audience for, such as "Who may use it". */
  label: string;
  value: Audience;
  onChange: (next: Audience) => void;
  /** Why nobody can change it here; null where one can. */
  locked?: string | null;
};

/** Everybody, or some by role, group or name. Whoever may not see people finds roles and groups only. */
export function AudienceField({ label, value, onChange, locked = null }: Props) {
  const { t } = useText();
  const name = useId();
  const [last, setLast] = useState<Some>(nobody);
  const some = value.kind === 'some' ? value : null;
  const option = (kind: Audience['kind'], words: string) => (
    <label className={`p-sm ${classes.option}`}>
      <input
        type="radio"
        name={name}
        checked={value.kind === kind}
        disabled={locked !== null}
        onChange={() => {
          if (some) setLast(some);
          onChange(kind === 'everybody' ? everybody : last);
        }}
      />
      {words}
    </label>
  );
  return (
    <fieldset className={classes.field}>
      <legend>{label}</legend>
      {option('everybody', t({ id: 'audience.everybody', defaultMessage: 'Everybody in the organisation' }))}
      {option('some', t({ id: 'audience.some', defaultMessage: 'Only some: roles, groups or people' }))}
      {locked === null ? null : (
        <p className={`p-meta ${classes.locked}`}>
          <Lock size={14} />
          {locked}
        </p>
      )}
      {some && locked === null ? <SomeOfThem value={some} onChange={onChange} /> : null}
    </fieldset>
  );
}

function SomeOfThem({ value, onChange }: { value: Some; onChange: (next: Some) => void }) {
  const { t } = useText();
  const chosen = useChosen(value);
  return (
    <div className={classes.some}>
      {chosen.length > 0 ? (
        <ul className={classes.chips}>
          {chosen.map((choice) => (
            <li key={choice.key} className={classes.chip}>
              {choice.mark}
              <bdi>{choice.name}</bdi>
              <button
                type="button"
                aria-label={t({ id: 'audience.remove', defaultMessage: 'Take out {name}' }, { name: choice.name })}
                onClick={() => onChange(choice.remove(value))}
              >
                <X size={14} />
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <p className="p-meta">
          {t({ id: 'audience.nobody', defaultMessage: 'Nobody is chosen yet, so it is for nobody.' })}
        </p>
      )}
      <Adding value={value} onAdd={(choice) => onChange(choice.add(value))} />
    </div>
  );
}

function Adding({ value, onAdd }: { value: Some; onAdd: (choice: Choice) => void }) {
  const { t } = useText();
  const [typed, setTyped] = useState('');
  const place = useRef<HTMLFieldSetElement>(null);
  const [isOpen, setOpen] = useOpenWithin(place);
  const { choices, isAsked } = useOffered(value, typed);
  const kinds = {
    role: t({ id: 'audience.kind.role', defaultMessage: 'Role' }),
    group: t({ id: 'audience.kind.group', defaultMessage: 'Group' }),
    person: t({ id: 'audience.kind.person', defaultMessage: 'Person' }),
  };
  const add = (choice: Choice) => {
    setTyped('');
    onAdd(choice);
  };
  return (
    <fieldset
      ref={place}
      className={classes.adding}
      aria-label={t({ id: 'audience.add', defaultMessage: 'Add a role, a group or a person' })}
    >
      <TextInput
        aria-label={t({ id: 'audience.search', defaultMessage: 'Name of a role, a group or a person' })}
        placeholder={t({ id: 'audience.add', defaultMessage: 'Add a role, a group or a person' })}
        leftSection={<Search />}
        value={typed}
        maxLength={100}
        dir="auto"
        autoComplete="off"
        onFocus={() => setOpen(true)}
        onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setOpen(true);
        }}
      />
      {isOpen && choices.length > 0 ? (
        <ul className={classes.offered}>
          {choices.map((choice) => (
            <li key={choice.key}>
              <button type="button" onClick={() => add(choice)}>
                {choice.mark}
                <bdi>{choice.name}</bdi>
                <span className="p-meta">{kinds[choice.kind]}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <output className="p-meta">
        {isAsked && choices.length === 0
          ? t({ id: 'audience.none', defaultMessage: 'Nothing else is called like this.' })
          : null}
      </output>
    </fieldset>
  );
}

/** Open until somebody goes elsewhere, by keyboard or by pointer. */
function useOpenWithin(place: RefObject<HTMLElement | null>): [boolean, (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isOpen) return undefined;
    const leave = ({ target }: Event) => {
      if (!place.current?.contains(target as Node)) setOpen(false);
    };
    document.addEventListener('focusin', leave);
    document.addEventListener('pointerdown', leave);
    return () => {
      document.removeEventListener('focusin', leave);
      document.removeEventListener('pointerdown', leave);
    };
  }, [isOpen, place]);
  return [isOpen, setOpen];
}

const icon = (Icon: typeof Users) => (
  <span className={classes.mark}>
    <Icon size={14} />
  </span>
);
const without = <Id,>(ids: readonly Id[], id: Id): Id[] => ids.filter((one) => one !== id);

const roleChoice = (id: RoleKey, name: string): Choice => ({
  key: id,
  kind: 'role',
  name,
  mark: icon(KeyRound),
  add: (to) => ({ ...to, roles: [...without(to.roles, id), id] }),
  remove: (from) => ({ ...from, roles: without(from.roles, id) }),
});
const groupChoice = (id: GroupId, name: string): Choice => ({
  key: id,
  kind: 'group',
  name,
  mark: icon(Users),
  add: (to) => ({ ...to, groupIds: [...without(to.groupIds, id), id] }),
  remove: (from) => ({ ...from, groupIds: without(from.groupIds, id) }),
});
const personChoice = (id: UserId, name: string, picture: Member['picture']): Choice => ({
  key: id,
  kind: 'person',
  name,
  mark: <PersonAvatar id={id} name={name} picture={picture} size={20} />,
  add: (to) => ({ ...to, userIds: [...without(to.userIds, id), id] }),
  remove: (from) => ({ ...from, userIds: without(from.userIds, id) }),
});

/** What is chosen, by name; who has left the organisation stands there as such, and can be taken out. */
function useChosen({ roles, groupIds, userIds }: Some): Choice[] {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const { nameOf } = useRoles();
  const { groups } = useGroups();
  const ids = userIds.slice(0, 100).join(',');
  const { data } = useQuery({
    queryKey: resourceKey('members', orgId, 'named', ids),
    queryFn: ({ signal }) => api('GET /api/org/members', { orgId, query: { ids, limit: 100 }, signal }),
    enabled: useRight('member:read') && ids !== '',
    placeholderData: (before) => before,
  });
  const people = new Map(data?.items.map((member) => [member.userId, member]));
  const gone = t({ id: 'audience.gone', defaultMessage: 'Not here any more' });
  const pending = data === undefined ? '…' : gone;
  return [
    ...roles.map((id) => roleChoice(id, nameOf(id))),
    ...groupIds.map((id) => groupChoice(id, groups.find((group) => group.id === id)?.name ?? gone)),
    ...userIds.map((id) => personChoice(id, people.get(id)?.name ?? pending, people.get(id)?.picture ?? null)),
  ];
}

/** Roles and groups that are like what is typed, and people once something is. */
function useOffered({ roles, groupIds, userIds }: Some, typed: string): { choices: Choice[]; isAsked: boolean } {
  const orgId = useTab().organisation.id;
  const known = useRoles();
  const { groups } = useGroups();
  const text = useSettled(typed.trim());
  const isAsked = text !== '' && typed.trim() !== '';
  const { data, isFetching } = useQuery({
    queryKey: resourceKey('members', orgId, 'audience', text),
    queryFn: ({ signal }) => api('GET /api/org/members', { orgId, query: { text, limit: mostShown }, signal }),
    enabled: useRight('member:read') && isAsked,
  });
  const isLike = (name: string) => name.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase());
  const choices = [
    ...known.roles.filter(({ id }) => !roles.includes(id)).map(({ id }) => roleChoice(id, known.nameOf(id))),
    ...groups.filter(({ id }) => !groupIds.includes(id)).map(({ id, name }) => groupChoice(id, name)),
  ].filter(({ name }) => isLike(name));
  const people = (isAsked ? (data?.items ?? []) : [])
    .filter(({ userId }) => !userIds.includes(userId))
    .map(({ userId, name, picture }) => personChoice(userId, name, picture));
  return { choices: [...choices, ...people].slice(0, mostShown), isAsked: isAsked && !isFetching };
}
