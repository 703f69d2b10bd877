import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { api, type Answer } from '../../../lib/http.ts';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { usePaths } from '../../../lib/paths.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import classes from './empty-chat.module.css';
import { RowText } from './row-text.tsx';

type Props = {
  offered: Answer<'GET /api/chat/models'>;
  /** Without documents and models, the steps are all that people can do, so they come first. */
  isFirst: boolean;
};

/** Shows steps for a new organisation, each to people who can take it, until it is taken. */
export const NextSteps = (props: Props) => (
  <LateTexts part="talk">
    <Steps {...props} />
  </LateTexts>
);

function Steps({ offered, isFirst }: Props) {
  const { t } = useText();
  const { steps, isKnown } = useSteps(offered);
  if (isFirst && steps.length === 0) return isKnown ? <WhomToAsk /> : null;
  if (isFirst)
    return (
      <div className={classes.rows}>
        {steps.map(({ to, title, text }) => (
          <Link key={to} className={classes.row} to={to}>
            <RowText title={title} text={text} />
          </Link>
        ))}
      </div>
    );
  if (steps.length === 0) return null;
  return (
    <nav className={classes.links} aria-label={t({ id: 'talk.firstSteps.nav', defaultMessage: 'Next' })}>
      {steps.map(({ to, title }) => (
        <Button key={to} component={Link} to={to} variant="subtle" size="xs">
          {title}
        </Button>
      ))}
    </nav>
  );
}

/**
 * Returns the steps that the person can take. The step whose state loads last comes last, so that the others don't move
 * under the pointer.
 */
function useSteps({ items, documentCount }: Props['offered']) {
  const { t } = useText();
  const paths = usePaths();
  const orgId = useTab().organisation.id;
  const maySet = useRight('org:update');
  const mayInvite = useRight('member:invite');
  const isAlone = useIsAlone(mayInvite && maySet);
  const isOpen = {
    upload: useRight('data_connection:manage') && documentCount === 0,
    model: useRight('model:configure') && maySet && items.every(({ providerName }) => providerName === null),
    invite: isAlone === true,
  };
  const all = [
    {
      isOpen: isOpen.upload,
      to: paths.to('settings/data-connections'),
      title: t({ id: 'talk.firstSteps.upload', defaultMessage: 'Upload documents' }),
      text: t({
        id: 'talk.firstSteps.uploadText',
        defaultMessage: 'Answers then quote them, with the source beside each sentence',
      }),
    },
    {
      isOpen: isOpen.model,
      to: paths.models(orgId),
      title: t({ id: 'talk.firstSteps.model', defaultMessage: 'Connect a language model' }),
      text: t({ id: 'talk.firstSteps.modelText', defaultMessage: 'Ollama, vLLM or any OpenAI-compatible server' }),
    },
    {
      isOpen: isOpen.invite,
      to: paths.invite(orgId),
      title: t({ id: 'talk.firstSteps.invite', defaultMessage: 'Invite people' }),
      text: t({
        id: 'talk.firstSteps.inviteText',
        defaultMessage: 'By email, or with a link that lets several people join',
      }),
    },
  ];
  return { steps: all.filter((step) => step.isOpen), isKnown: isAlone !== null };
}

/** Returns true if the organisation has no other members and no invitations; null until that is known. */
function useIsAlone(mayInvite: boolean): boolean | null {
  const orgId = useTab().organisation.id;
  const enabled = useRight('member:read') && mayInvite;
  const seats = useQuery({
    queryKey: resourceKey('seats', orgId),
    queryFn: ({ signal }) => api('GET /api/org/seats', { orgId, signal }),
    enabled,
  });
  const invitations = useQuery({
    queryKey: resourceKey('invitations', orgId, 'any'),
    queryFn: ({ signal }) => api('GET /api/org/invitations', { orgId, query: { limit: 1 }, signal }),
    enabled,
  });
  if (enabled && (seats.isPending || invitations.isPending)) return null;
  return enabled && seats.data?.used === 1 && invitations.data?.items.length === 0;
}

function WhomToAsk() {
  const { t } = useText();
  return (
    <p className={`p-sm p-quiet ${classes.ask}`}>
      {t({
        id: 'talk.firstSteps.askAdmin',
        defaultMessage: 'An owner or admin of the organisation can connect documents or a model.',
      })}
    </p>
  );
}
