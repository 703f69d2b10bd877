import { Button } from '@mantine/core';
import { DoorClosed } from 'lucide-react';
import { useState } from 'react';
import { leaveSession } from '../domain/session/own-session.ts';
import { useLocale } from '../lib/paths.ts';
import { useTab } from '../lib/tab-organisation.tsx';
import { useText } from '../lib/text.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Page } from '../ui/page.tsx';
import { StateView } from '../ui/state-view.tsx';
import { Texts } from './locale-gate.tsx';
import { textsOf } from './page-texts.ts';

const texts = textsOf(['first', 'app', 'ended']);
type Props = { code: 'org.access-ended' | 'org.membership-suspended'; reason: string | null };

/** In the place of all pages of an organisation; the shell stays, so that one can go to another one. */
export function ClosedOrganisation(props: Props) {
  return (
    <Texts locale={useLocale()} load={texts}>
      <Closed {...props} />
    </Texts>
  );
}

function Closed({ code, reason }: Props) {
  const { t } = useText();
  const { name } = useTab().organisation;
  const isEnded = code === 'org.access-ended';
  const title = isEnded
    ? t({ id: 'ended.access.title', defaultMessage: 'Your access to {name} was ended' }, { name })
    : t({ id: 'ended.access.suspended', defaultMessage: 'Your membership in {name} is suspended' }, { name });
  const about = isEnded
    ? t({
        id: 'ended.access.text',
        defaultMessage:
          'An admin ended it here, for every session of until now. Sign in again to go on. Your other organisations are open to you as before.',
      })
    : t({
        id: 'ended.access.suspendedText',
        defaultMessage:
          'You can do nothing here until an owner or admin restores it. Then this page goes on by itself.',
      });
  return (
    <Page title={<bdi>{name}</bdi>} documentTitle={name}>
      <StateView icon={DoorClosed} title={title} actions={isEnded ? <SignInAgain /> : null} isAlert>
        {about}
        {reason ? (
          <p>
            {t({ id: 'ended.access.reason', defaultMessage: 'Reason:' })} <bdi>{reason}</bdi>
          </p>
        ) : null}
      </StateView>
    </Page>
  );
}

function SignInAgain() {
  const { t } = useText();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const leave = () => {
    setBusy(true);
    leaveSession('DELETE /api/auth/sessions/current').catch((failure: unknown) => {
      setBusy(false);
      setError(failure);
    });
  };
  return (
    <>
      <Button size="xs" loading={isBusy} onClick={leave}>
        {t({ id: 'ended.access.again', defaultMessage: 'Sign in again' })}
      </Button>
      <ErrorNote error={error} />
    </>
  );
}
