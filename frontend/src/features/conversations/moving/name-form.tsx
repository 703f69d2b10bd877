import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Project } from '@parley/contracts';
import { useState } from 'react';
import { useText } from '../../../lib/text.ts';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useCreateProject } from '../state/projects.ts';
import classes from './moving.module.css';

export const longestName = 100;

type Props = {
  /** The initial name. */
  name?: string;
  onCancel: () => void;
  onCreated: (project: Project) => void;
};

/** Asks for the name of a new project. Keeps the typed text if the server refuses it. */
export function NameForm({ name: begun = '', onCancel, onCreated }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const [name, setName] = useState(begun);
  const [isAsked, setAsked] = useState(false);
  const create = useCreateProject();
  const creating = useMutation({ mutationFn: create, onSuccess: onCreated });
  const isMissing = isAsked && name.trim() === '';
  const submit = () => {
    setAsked(true);
    if (name.trim() !== '' && !off && !creating.isPending) creating.mutate(name);
  };
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextInput
        label={t({ id: 'project.name.label', defaultMessage: 'Name' })}
        value={name}
        maxLength={longestName}
        dir="auto"
        data-autofocus
        error={isMissing ? t({ id: 'project.name.missing', defaultMessage: 'Enter a name.' }) : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <ErrorNote error={creating.error} />
      <div className={classes.actions}>
        <Button variant="subtle" onClick={onCancel}>
          {t({ id: 'dialog.confirm.cancel', defaultMessage: 'Cancel' })}
        </Button>
        <Button type="submit" loading={creating.isPending} {...off}>
          {t({ id: 'project.create.submit', defaultMessage: 'Create project' })}
        </Button>
      </div>
    </form>
  );
}
