import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Member } from '@parley/contracts';
import { X } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useSettled } from '../../../lib/use-settled.ts';
import { PersonAvatar } from '../../../domain/picture/avatar.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import classes from './search-tester.module.css';

type Person = Pick<Member, 'userId' | 'name' | 'picture'>;
const mostShown = 6;

/** Oneself, or another member by name. */
export function PersonChoice({ person, onChange }: { person: Person | null; onChange: (next: Person | null) => void }) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const [typed, setTyped] = useState('');
  const text = useSettled(typed.trim());
  const mayLook = useRight('member:read');
  const { data } = useQuery({
    queryKey: resourceKey('members', orgId, 'tester', text),
    queryFn: ({ signal }) => api('GET /api/org/members', { orgId, query: { text, limit: mostShown }, signal }),
    enabled: mayLook && text !== '',
  });
  if (!mayLook) return null;
  if (person)
    return (
      <div className={`p-sm ${classes.person}`}>
        <span className="p-meta">{t({ id: 'documents.tester.as', defaultMessage: 'as' })}</span>
        <PersonAvatar id={person.userId} name={person.name} picture={person.picture} size={20} />
        <bdi>{person.name}</bdi>
        <IconButton
          icon={X}
          label={t({ id: 'documents.tester.self', defaultMessage: 'Search as yourself' })}
          onClick={() => onChange(null)}
        />
        <p className="p-meta">
          {t({ id: 'documents.tester.audited', defaultMessage: 'This search is recorded in the audit log.' })}
        </p>
      </div>
    );
  return (
    <div className={classes.choosing}>
      <TextInput
        size="xs"
        aria-label={t({ id: 'documents.tester.person', defaultMessage: 'Search as another person' })}
        placeholder={t({ id: 'documents.tester.person', defaultMessage: 'Search as another person' })}
        value={typed}
        maxLength={100}
        dir="auto"
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {text !== '' && data ? (
        <ul className={classes.offered}>
          {data.items.map((member) => (
            <li key={member.userId}>
              <button
                type="button"
                className="p-plain p-offer"
                onClick={() => {
                  setTyped('');
                  onChange(member);
                }}
              >
                <PersonAvatar id={member.userId} name={member.name} picture={member.picture} size={20} />
                <bdi>{member.name}</bdi>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
