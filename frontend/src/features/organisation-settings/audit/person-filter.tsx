import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { UserId } from '@parley/protocol';
import { useState } from 'react';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useSettled } from '../../../lib/use-settled.ts';
import { PersonAvatar } from '../../../domain/picture/avatar.tsx';
import classes from '../../../ui/choice-filters.module.css';
import { Menu } from '../../../ui/menu.tsx';
import table from '../../../ui/table.module.css';

const mostShown = 8;

/** A list's filter by one member, found by the start of any word of the name; nothing for who may not see members. */
export function PersonFilter({ label, onChange }: { label: string; onChange: (userId: UserId) => void }) {
  const [isOpen, setOpen] = useState(false);
  if (!useRight('member:read')) return null;
  return (
    <Menu position="bottom-start" width={260} opened={isOpen} onChange={setOpen} trapFocus={false}>
      <Menu.Target>
        <button type="button" className={table.chip}>
          {label}
        </button>
      </Menu.Target>
      <Menu.Dropdown className={classes.options}>{isOpen ? <Members onChange={onChange} /> : null}</Menu.Dropdown>
    </Menu>
  );
}

function Members({ onChange }: { onChange: (userId: UserId) => void }) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const [typed, setTyped] = useState('');
  const text = useSettled(typed.trim());
  const { data } = useQuery({
    queryKey: resourceKey('members', orgId, 'filter', text),
    queryFn: ({ signal }) =>
      api('GET /api/org/members', { orgId, query: { ...(text && { text }), limit: mostShown }, signal }),
    placeholderData: keepPreviousData,
  });
  const search = t({ id: 'organisation.audit.person.search', defaultMessage: 'Start of a name' });
  return (
    <>
      <Menu.Search
        size="xs"
        dir="auto"
        maxLength={100}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        aria-label={search}
        placeholder={search}
      />
      {data?.items.map(({ userId, name, picture }) => (
        <Menu.Item
          key={userId}
          leftSection={<PersonAvatar id={userId} name={name} picture={picture} size={20} />}
          onClick={() => onChange(userId)}
        >
          <bdi>{name}</bdi>
        </Menu.Item>
      ))}
      {data?.items.length === 0 ? (
        <Menu.Label>{t({ id: 'organisation.audit.person.none', defaultMessage: 'No matching members' })}</Menu.Label>
      ) : null}
    </>
  );
}
