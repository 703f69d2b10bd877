import { afterEach, describe, expect, it } from '@jest/globals';
import type { Me } from '@parley/contracts';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { setSession, useSession } from '../../../../domain/session/session.ts';
import { TabOrganisationProvider, useTab } from '../../../../lib/tab-organisation.tsx';
import { installFakeApi } from '../../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../../testing/render.tsx';
import { sampleIds, sampleMe } from '../../../../testing/samples.ts';
import { useProfileChanges } from '../use-profile-changes.ts';
import { PictureField } from './index.tsx';

function Field() {
  return <PictureField changes={useProfileChanges()} />;
}
/** The person is that of the session, as behind the sign-in. */
function Page() {
  const tab = useTab();
  const session = useSession();
  return (
    <TabOrganisationProvider value={session.status === 'signed-in' ? { ...tab, me: session.me } : tab}>
      <Field />
    </TabOrganisationProvider>
  );
}

let stored: Me;
function show(me: Me) {
  stored = me;
  setSession({ status: 'signed-in', me });
  const api = installFakeApi({
    'PATCH /api/auth/me': ({ body: { picture, version } }) =>
      (stored = { ...stored, picture: picture ?? null, version: version + 1 }),
  });
  renderInOrganisation(<Page />, { path: '/:locale/settings', at: '/en/settings' });
  return api;
}

/** jsdom's own would really send: this one answers as the server does, and keeps what was sent. */
function installFakeUpload(answer: () => { status: number; body: unknown }) {
  const sent: { address: string; file: File }[] = [];
  class Request extends EventTarget {
    readonly upload = new EventTarget();
    status = 0;
    responseText = '';
    private address = '';
    open(_method: string, address: string) {
      this.address = address;
    }
    setRequestHeader() {}
    send(file: File) {
      sent.push({ address: this.address, file });
      const { status, body } = answer();
      Object.assign(this, { status, responseText: JSON.stringify(body) });
      queueMicrotask(() => this.dispatchEvent(new Event('load')));
    }
  }
  globalThis.XMLHttpRequest = Request as unknown as typeof XMLHttpRequest;
  return sent;
}

describe('the own picture', () => {
  const { XMLHttpRequest: real } = globalThis;
  afterEach(() => {
    globalThis.XMLHttpRequest = real;
  });
  const { picture } = sampleIds;
  const png = new File(['png'], 'me.png', { type: 'image/png' });
  const choose = (file: File) => userEvent.upload(screen.getByLabelText('Change picture', { selector: 'input' }), file);
  const shownPictures = () => [...document.querySelectorAll('img')].map((image) => image.getAttribute('src'));
  const stores = () => ({ status: 201, body: { id: picture } });

  it('is sent, saved and shown, and taken back', async () => {
    const sent = installFakeUpload(stores);
    const { calls } = show(sampleMe);
    expect(shownPictures()).toEqual([]);
    await choose(png);
    expect(await screen.findByText('Saved')).toBeInTheDocument();
    expect([sent.length, sent[0]?.file, calls[0]?.body]).toEqual([1, png, { version: 1, picture }]);
    expect(shownPictures()).toEqual([`/api/auth/pictures/${picture}`]);
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Taken back')).toBeInTheDocument();
    expect([stored.picture, shownPictures()]).toEqual([null, []]);
  });

  it('is removed by a button that goes with it, and comes back', async () => {
    show({ ...sampleMe, picture });
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('Saved')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Remove' })).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Change picture' })).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(shownPictures()).toEqual([`/api/auth/pictures/${picture}`]));
  });

  it('says what is wrong with a file, and changes nothing', async () => {
    const body = { code: 'auth.picture-unreadable', title: '', status: 422 };
    const sent = installFakeUpload(() => (sent.length === 1 ? { status: 422, body } : stores()));
    const { calls } = show(sampleMe);
    await choose(png);
    expect(await screen.findByRole('alert')).toHaveTextContent(/can’t be read as a picture/);
    expect(calls).toHaveLength(0);
    await choose(png);
    expect(await screen.findByText('Saved')).toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('of more than 5 MB is not sent', async () => {
    const sent = installFakeUpload(stores);
    show(sampleMe);
    await choose(new File([new Uint8Array(5_000_001)], 'large.png', { type: 'image/png' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(/larger than 5 MB/);
    expect(sent).toHaveLength(0);
  });
});
