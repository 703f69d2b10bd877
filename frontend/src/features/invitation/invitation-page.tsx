import { Button } from '@mantine/core';
import type { InvitationView } from '@parley/contracts';
import { Link } from 'react-router-dom';
import { isProblem } from '../../lib/http.ts';
import { useText } from '../../lib/text.ts';
import form from '../../ui/form.module.css';
import { ErrorNote } from '../../ui/error-note.tsx';
import { InvitationOver } from './invitation-over.tsx';
import { Offer } from './offer.tsx';
import { useInvitation, type Invitation } from './use-invitation.ts';
import type { InvitationPageProps } from './invitation-page-props.ts';

type Open = Extract<InvitationView, { state: 'open' }>;
/** What the link is, to whoever stands here decides what is shown. */
export function InvitationPage(props: InvitationPageProps) {
  const { token, me, onJoined } = props;
  const { t } = useText();
  const invitation = useInvitation(token, me !== null, onJoined);
  const { view, error, hasDeclined } = invitation;
  const isNone = token === '' || isProblem(error, 'org.invitation-not-found');
  return (
    <div className={form.form}>
      <title>{t({ id: 'invitation.page.documentTitle', defaultMessage: 'Invitation · Parley' })}</title>
      {hasDeclined ? (
        <InvitationOver state="declined" {...props} />
      ) : isNone ? (
        <InvitationOver state="none" {...props} />
      ) : view === null ? null : view.state === 'open' ? (
        <OpenInvitation {...props} view={view} invitation={invitation} />
      ) : (
        <InvitationOver {...view} {...props} />
      )}
      {error && !isNone ? <ErrorNote error={error} /> : null}
    </div>
  );
}

function OpenInvitation({
  view,
  invitation,
  me,
  form: renderForm,
  signInPath,
  forgotPath,
}: InvitationPageProps & { view: Open; invitation: Invitation }) {
  const { t, rich } = useText();
  const { organisation } = view;
  const submit = t({ id: 'invitation.open.join', defaultMessage: 'Join {organisation}' }, { organisation });
  const decline =
    view.kind === 'mail' ? (
      <Button variant="subtle" size="md" onClick={invitation.decline} disabled={invitation.isBusy}>
        {t({ id: 'invitation.open.decline', defaultMessage: 'Decline' })}
      </Button>
    ) : null;
  if (me)
    return (
      <Offer view={view} title={submit} as={me}>
        <div className={form.actions}>
          <Button size="md" onClick={invitation.join} loading={invitation.isBusy}>
            {submit}
          </Button>
          {decline}
        </div>
      </Offer>
    );
  if (view.hasAccount)
    return (
      <Offer
        view={view}
        title={t({ id: 'invitation.open.signIn', defaultMessage: 'Sign in to join {organisation}' }, { organisation })}
      >
        <p className="p-quiet">
          {rich(
            {
              id: 'invitation.open.account',
              defaultMessage: 'There is an account for {email}. After signing in you come back here.',
            },
            { email: <bdi key="email">{view.email}</bdi> },
          )}
        </p>
        <div className={form.actions}>
          <Button size="md" component={Link} to={signInPath}>
            {t({ id: 'invitation.open.toSignIn', defaultMessage: 'Sign in' })}
          </Button>
          <Button size="md" variant="subtle" component={Link} to={forgotPath}>
            {t({ id: 'invitation.open.forgot', defaultMessage: 'Reset password' })}
          </Button>
        </div>
      </Offer>
    );
  return (
    <Offer view={view} title={submit}>
      {renderForm({ email: view.email, submit })}
      {view.kind === 'link' ? (
        <HaveAccount to={signInPath} />
      ) : (
        <>
          {view.hasAccount === null ? <HaveAccount to={signInPath} /> : null}
          <p className="p-sm p-quiet">
            {rich(
              { id: 'invitation.open.notForYou', defaultMessage: 'Not for you? <act>Decline</act>' },
              {
                act: (text) => (
                  <button
                    key="act"
                    type="button"
                    className="p-link"
                    disabled={invitation.isBusy}
                    onClick={invitation.decline}
                  >
                    {text}
                  </button>
                ),
              },
            )}
          </p>
        </>
      )}
    </Offer>
  );
}

function HaveAccount({ to }: { to: string }) {
  const { rich } = useText();
  return (
    <p className="p-sm p-quiet">
      {rich(
        { id: 'invitation.open.haveAccount', defaultMessage: 'You have an account? <link>Sign in</link>' },
        {
          link: (text) => (
            <Link key="link" className="p-link" to={to}>
              {text}
            </Link>
          ),
        },
      )}
    </p>
  );
}
