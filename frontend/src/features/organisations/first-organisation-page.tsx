import { Button } from '@mantine/core';
import type { Me } from '@parley/contracts';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { pathsOf, useLocale } from '../../lib/paths.ts';
import { api } from '../../lib/http.ts';
import { leaveSession } from '../../domain/session/own-session.ts';
import { useText } from '../../lib/text.ts';
import { useErrorToast } from '../../ui/error-toast.ts';
import form from '../../ui/form.module.css';
import { CreateOrganisationForm } from './create-organisation-form.tsx';

/** The only form that a person without any organisation sees. */
export function FirstOrganisationPage({ me }: { me: Me }) {
  const { t } = useText();
  const navigate = useNavigate();
  const locale = useLocale();
  const showError = useErrorToast();
  const signOut = () => leaveSession('DELETE /api/auth/sessions/current').catch(showError);
  return (
    <div className={form.form}>
      <title>{t({ id: 'organisations.first.documentTitle', defaultMessage: 'Your organisation · Parley' })}</title>
      {me.mayCreateOrganisations ? (
        <>
          <div>
            <h1 className="p-h1">
              {t({ id: 'organisations.first.title', defaultMessage: 'Create your organisation' })}
            </h1>
            <p className="p-quiet">
              {t({
                id: 'organisations.first.subtitle',
                defaultMessage: 'Chats, documents and models belong to an organisation. You become its owner.',
              })}
            </p>
          </div>
          <CreateOrganisationForm
            size="md"
            onCreated={(organisation) =>
              void navigate(pathsOf(locale, organisation.slug).to('chat'), { replace: true })
            }
          />
        </>
      ) : (
        <WhomToAsk />
      )}
      <p className="p-sm p-quiet">
        <bdi dir="ltr">{me.email}</bdi> ·{' '}
        <Button variant="subtle" size="xs" onClick={() => void signOut()}>
          {t({ id: 'organisations.first.signOut', defaultMessage: 'Sign out' })}
        </Button>
      </p>
    </div>
  );
}

function WhomToAsk() {
  const { t, intl } = useText();
  const [contacts, setContacts] = useState<readonly string[]>([]);
  useEffect(() => {
    api('GET /api/auth/registration').then(
      (info) => setContacts(info.contacts),
      () => undefined,
    );
  }, []);
  return (
    <div>
      <h1 className="p-h1">{t({ id: 'organisations.ask.title', defaultMessage: 'You are in no organisation yet' })}</h1>
      <p className="p-quiet">
        {contacts.length > 0
          ? t(
              {
                id: 'organisations.ask.people',
                defaultMessage: 'Chats belong to an organisation. Ask {people} to create one or to add you to theirs.',
              },
              { people: intl.formatList(contacts, { type: 'disjunction' }) },
            )
          : t({
              id: 'organisations.ask.somebody',
              defaultMessage:
                'Chats belong to an organisation. Ask the person who runs this installation to add you to one.',
            })}
      </p>
    </div>
  );
}
