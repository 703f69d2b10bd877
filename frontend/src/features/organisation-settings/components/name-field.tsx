import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useRef, useState } from 'react';
import { api, isProblem } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import { useFirstField } from '../../../ui/use-focus-on-mount.ts';
import classes from '../organisation-settings.module.css';

/** Saves itself on Enter and on leaving the field. */
export function NameField() {
  const { t } = useText();
  const describe = useProblemText();
  const client = useQueryClient();
  const { organisation } = useTab();
  const [name, setName] = useState(organisation.name);
  const rename = useMutation({
    mutationFn: (next: string) =>
      api('PATCH /api/org/organisations/:orgId', {
        orgId: organisation.id,
        params: { orgId: organisation.id },
        body: { version: organisation.version, name: next },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey('organisations', null) }),
    onError: (error) => isProblem(error, 'platform.conflict') && setName(organisation.name),
  });
  const off = useActionOff();
  const input = useRef<HTMLInputElement>(null);
  useFirstField(input);
  const save = () => {
    if (off) return;
    const next = name.trim();
    if (next === '') return setName(organisation.name);
    if (next !== organisation.name && !rename.isPending) rename.mutate(next);
  };
  return (
    <div className={classes.name}>
      <TextInput
        ref={input}
        label={t({ id: 'organisation.name.label', defaultMessage: 'Name' })}
        value={name}
        maxLength={80}
        readOnly={off !== null}
        dir="auto"
        error={rename.error ? describe(rename.error).text : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={save}
        onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && save()}
      />
      <output className={classes.saved}>
        {off ? (
          off.title
        ) : rename.isSuccess ? (
          <>
            <Check size={14} strokeWidth={1.75} aria-hidden="true" />
            {t({ id: 'organisation.name.saved', defaultMessage: 'Saved' })}
          </>
        ) : (
          <span dir="ltr">?org={organisation.slug}</span>
        )}
      </output>
    </div>
  );
}
