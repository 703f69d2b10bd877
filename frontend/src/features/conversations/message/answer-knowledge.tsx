import { UnstyledButton } from '@mantine/core';
import type { ProjectKnowledge } from '@parley/contracts';
import { Fragment, useState } from 'react';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useText } from '../../../lib/text.ts';
import { useReadableConnections } from '../state/use-readable-connections.ts';
import classes from './message.module.css';

type Props = { knowledge: ProjectKnowledge };

/** Shows below an answer what it searched of its chat's project at that time. Pressing it shows names. */
export const AnswerKnowledge = (props: Props) => (
  <LateTexts part="knowledge">
    <Knowledge {...props} />
  </LateTexts>
);

function Knowledge({ knowledge: { connectionIds, files } }: Props) {
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <UnstyledButton className={classes.knowledge} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t(
          {
            id: 'knowledge.answer.count',
            defaultMessage: 'Searched {count, plural, one {# source} other {# sources}} of the project',
          },
          { count: connectionIds.length + files.length },
        )}
      </UnstyledButton>
      {isOpen ? <Names knowledge={{ connectionIds, files }} /> : null}
      {' · '}
    </>
  );
}

/** Shows connections with their current names, for people who can read them now. */
function Names({ knowledge: { connectionIds, files } }: Props) {
  const { t, intl } = useText();
  const { readable } = useReadableConnections();
  const unseen = t({ id: 'knowledge.connections.unseen', defaultMessage: 'Unavailable data connection' });
  const names = [
    ...connectionIds.map((id) => readable.find((one) => one.id === id)?.name ?? unseen),
    ...files.map(({ name }) => name),
  ];
  const parts = intl.formatListToParts(names.map((name, at) => <bdi key={at}>{name}</bdi>));
  return (
    <span>
      {' ('}
      {parts.map(({ value }, at) => (
        <Fragment key={at}>{value}</Fragment>
      ))}
      {')'}
    </span>
  );
}
