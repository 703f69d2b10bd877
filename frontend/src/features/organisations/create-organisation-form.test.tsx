import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { CreateOrganisationForm } from './create-organisation-form.tsx';

it('shows the short name that the server will make, until one writes an own one', async () => {
  installFakeApi({});
  renderInOrganisation(<CreateOrganisationForm size="sm" onCreated={() => undefined} />, { path: '*', at: '/en' });
  const shortName = screen.getByLabelText('Short name in addresses');
  expect(screen.getByLabelText('Name of the organisation')).toHaveFocus();
  expect(shortName).toHaveValue('');
  await userEvent.keyboard('Für Außergewöhnliches GmbH');
  expect(shortName).toHaveValue('fuer-aussergewoehnliches');
  await userEvent.clear(shortName);
  await userEvent.type(shortName, 'Own');
  expect(shortName).toHaveValue('own');
});
