import { TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Member } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { Search } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { PersonAvatar } from '../../../domain/picture/avatar.tsx';
import classes from './budget.module.css';

const mostShown = 6;
type Props = { error: ReactNode; onChange: (userId: UserId | '') => void };

/** One member, found by the start of any word of the name. */
export function PersonChoice({ error, onChange }: Props) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<Member | null>(null);
  const text = typed.trim();
  const { data } = useQuery({
    queryKey: resourceKey('members', orgId, 'budget', text),
    queryFn: ({ signal }) => api('GET /api/org/members', { orgId, query: { text, limit: mostShown }, signal }),
    enabled: text !== '' && !chosen,
    placeholderData: keepPreviousData,
  });
  const found = text === '' || chosen ? [] : (data?.items ?? []);
  const type = (name: string) => {
    setTyped(name);
    setChosen(null);
    onChange('');
  };
  const choose = (member: Member) => {
    setTyped(member.name);
    setChosen(member);
    onChange(member.userId);
  };
  return (
    <div>
      <TextInput
        name="of"
        label={t({ id: 'billing.byPerson.person', defaultMessage: 'Person' })}
        leftSection={<Search />}
        placeholder={t({ id: 'billing.budget.startOfName', defaultMessage: 'Start of a name' })}
        dir="auto"
        autoComplete="off"
        maxLength={100}
        value={typed}
        error={error}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <ul className={classes.people}>
        {found.map((member) => (
          <li key={member.userId}>
            <button type="button" className="p-plain p-offer" onClick={() => choose(member)}>
              <PersonAvatar id={member.userId} name={member.name} picture={member.picture} size={24} />
              <bdi>{member.name}</bdi>
            </button>
          </li>
        ))}
      </ul>
      <output className="p-meta">
        {text !== '' && !chosen && data?.items.length === 0
          ? t({ id: 'billing.budget.nobody', defaultMessage: 'Nobody has a name that begins like this.' })
          : null}
      </output>
    </div>
  );
}
