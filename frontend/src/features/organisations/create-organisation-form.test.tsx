import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { CreateOrganisationForm } from './create-organisation-form.tsx';

it('shows the URL name that the server will make, until the person enters one', async () => {
  installFakeApi({});
  renderInOrganisation(<CreateOrganisationForm size="sm" onCreated={() => undefined} />, { path: '*', at: '/en' });
  const slug = screen.getByLabelText('URL name');
  expect(screen.getByLabelText('Name of the organisation')).toHaveFocus();
  expect(slug).toHaveValue('');
  await userEvent.keyboard('Für Außergewöhnliches GmbH');
  expect(slug).toHaveValue('fuer-aussergewoehnliches');
  await userEvent.clear(slug);
  await userEvent.type(slug, 'Own');
  expect(slug).toHaveValue('own');
});
