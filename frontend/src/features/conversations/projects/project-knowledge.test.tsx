import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ChatFile, ConnectionId, FileId, Project, ProjectId } from '@parley/contracts';
import type { OrgRole } from '@parley/contracts/permissions';
import { sampleSite, sampleUploads } from '../../../testing/connection-samples.ts';
import { installFakeApi, refuse, refuseOld, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { ProjectKnowledge } from './project-knowledge.tsx';

const projectId = `prj_${'1'.repeat(26)}` as ProjectId;
const project: Project = {
  id: projectId,
  name: 'Substation 14 refit',
  instructions: '',
  chatbotId: null,
  createdAt: '2026-11-21T10:00:00.000Z',
  revision: 1,
};
const site = sampleSite();
const drawings: ChatFile = {
  id: `fil_${'1'.repeat(26)}` as FileId,
  name: 'Cabinet drawings.pdf',
  mediaType: 'application/pdf',
  bytes: 2_000,
  status: 'ready',
  failure: null,
  progress: null,
  tokens: 900,
  image: null,
  pages: 38,
  passageCount: 38,
  createdAt: '2026-11-21T10:00:00.000Z',
  version: 1,
};

type Shown = { project?: Partial<Project>; files?: ChatFile[]; handlers?: Handlers; role?: OrgRole };

/** Shows the section with a fake server, which the page reads again after each change. */
function show({ project: given = {}, files = [], handlers = {}, role = 'owner' }: Shown = {}) {
  let stored = { ...project, ...given };
  let items = files;
  const api = installFakeApi({
    'GET /api/chat/projects/:projectId/files': () => ({ items }),
    'GET /api/chat/connections': () => ({ items: [sampleUploads, site] }),
    'PATCH /api/chat/projects/:projectId': ({ body: { revision, ...change } }) => {
      if (revision !== stored.revision) return refuseOld(stored);
      return (stored = { ...stored, ...(change as Partial<Project>), revision: revision + 1 });
    },
    'PUT /api/chat/projects/:projectId/files/:fileId': ({ params: { fileId } }) => {
      const file = { ...drawings, id: fileId };
      items = [...items.filter(({ id }) => id !== fileId), file];
      return file;
    },
    'DELETE /api/chat/projects/:projectId/files/:fileId': ({ params: { fileId } }) => {
      items = items.filter(({ id }) => id !== fileId);
      return undefined;
    },
    ...handlers,
  });
  renderInOrganisation(<ProjectKnowledge project={stored} />, { path: '/:locale/chat', at: '/en/chat', role });
  return { ...api, change: (part: Partial<Project>) => (stored = { ...stored, ...part }) };
}
const section = () => screen.findByRole('region', { name: 'Files and knowledge' });
const rows = async () =>
  within(await section())
    .queryAllByRole('listitem')
    .map((row) => row.textContent);
const sent = ({ calls }: { calls: { route: string; body: unknown }[] }, route: string) =>
  calls.filter((call) => call.route === route).map(({ body }) => body);

/** Replaces jsdom's uploads, which would really send, with ones that get these responses. */
function installFakeUpload(answers: { status: number; body: unknown }[]): void {
  class Request extends EventTarget {
    readonly upload = new EventTarget();
    status = 0;
    responseText = '';
    open() {}
    setRequestHeader() {}
    abort() {}
    send() {
      const { status, body } = answers.shift() ?? { status: 201, body: drawings };
      Object.assign(this, { status, responseText: JSON.stringify(body) });
      queueMicrotask(() => this.dispatchEvent(new Event('load')));
    }
  }
  globalThis.XMLHttpRequest = Request as unknown as typeof XMLHttpRequest;
}
const realUpload = globalThis.XMLHttpRequest;
afterEach(() => {
  globalThis.XMLHttpRequest = realUpload;
});
const upload = async (file: File) => {
  await section();
  await userEvent.upload(screen.getByLabelText('Add files to the project'), file, { applyAccept: false });
};

describe('the data connections of a project', () => {
  it('says that a project has no knowledge yet', async () => {
    show();
    expect(await screen.findByText('No files or connections yet')).toBeTruthy();
  });

  it('lists connections and files; a connection that the person can’t read has no name', async () => {
    const gone = 'con_00000000000000000000000009' as ConnectionId;
    show({ project: { connectionIds: [site.id, gone] }, files: [drawings] });
    await waitFor(async () =>
      expect(await rows()).toEqual([
        'Runbooks and wikiData connection · searched while you can read it',
        'Unavailable data connectionDeleted, or no longer shared with you: not searched',
        'Cabinet drawings.pdfSearched, 38 pages',
      ]),
    );
  });

  it('adds a connection, even after another device changed the project', async () => {
    const page = show({ project: { connectionIds: [sampleUploads.id] } });
    await screen.findByText('Uploads');
    page.change({ revision: 4 });
    await userEvent.click(screen.getByRole('button', { name: 'Connection' }));
    const items = await screen.findAllByRole('menuitem');
    expect(items.map((item) => item.textContent)).toEqual(['Runbooks and wiki']);
    await userEvent.click(items[0]!);
    expect(await screen.findByText('Runbooks and wiki')).toBeTruthy();
    const connectionIds = [sampleUploads.id, site.id];
    expect(sent(page, 'PATCH /api/chat/projects/:projectId')).toEqual([
      { revision: 1, connectionIds },
      { revision: 4, connectionIds },
    ]);
  });

  it('removes a connection, and Undo adds it again', async () => {
    show({ project: { connectionIds: [site.id] } });
    await userEvent.click(await screen.findByRole('button', { name: 'Remove Runbooks and wiki' }));
    expect(await screen.findByText('No files or connections yet')).toBeTruthy();
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(async () => expect(await rows()).toHaveLength(1));
  });

  it('says why a connection wasn’t added', async () => {
    show({ handlers: { 'PATCH /api/chat/projects/:projectId': () => refuse('chat.connection-not-found') } });
    await section();
    await userEvent.click(screen.getByRole('button', { name: 'Connection' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Uploads' }));
    expect(await screen.findByText(/connection/i, { selector: '[aria-live] *' })).toBeTruthy();
    expect(screen.getByText('No files or connections yet')).toBeTruthy();
  });
});

describe('the files of a project', () => {
  it('uploads a file and adds it to the project', async () => {
    installFakeUpload([]);
    const page = show();
    await upload(new File(['x'], 'Cabinet drawings.pdf'));
    await waitFor(async () => expect(await rows()).toEqual(['Cabinet drawings.pdfSearched, 38 pages']));
    expect(sent(page, 'PUT /api/chat/projects/:projectId/files/:fileId')).toHaveLength(1);
  });

  it('says that the storage is full, and tries the upload again', async () => {
    const full = { type: '', title: '', status: 413, code: 'chat.storage-quota-reached', traceId: '' };
    installFakeUpload([{ status: 413, body: full }]);
    show();
    await upload(new File(['x'], 'Cabinet drawings.pdf'));
    expect((await screen.findByRole('alert')).textContent).toMatch(/storage/i);
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(async () => expect(await rows()).toEqual(['Cabinet drawings.pdfSearched, 38 pages']));
  });

  it('refuses an image as project file without sending it', async () => {
    const page = show();
    await upload(new File(['x'], 'Panel.png'));
    expect((await screen.findByRole('alert')).textContent).toMatch(/Only files with text/);
    expect(page.calls.some(({ route }) => route.startsWith('PUT'))).toBe(false);
    await userEvent.click(screen.getByRole('button', { name: 'Remove Panel.png' }));
    expect(await screen.findByText('No files or connections yet')).toBeTruthy();
  });

  it('says that a file couldn’t be read, removes it, and Undo adds it again', async () => {
    show({ files: [{ ...drawings, status: 'failed', failure: 'internal', pages: null }] });
    expect(await screen.findByRole('alert')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Remove Cabinet drawings.pdf' }));
    expect(await screen.findByText('No files or connections yet')).toBeTruthy();
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(async () => expect(await rows()).toHaveLength(1));
  });

  it('says that the project’s files couldn’t be loaded, and loads them again', async () => {
    let isAway = true;
    const list = () => (isAway ? refuse('platform.unavailable') : { items: [drawings] });
    show({ handlers: { 'GET /api/chat/projects/:projectId/files': list } });
    expect((await screen.findByRole('alert')).textContent).toMatch(/couldn’t be loaded/);
    isAway = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(async () => expect(await rows()).toHaveLength(1));
  });
});

describe('the section of project knowledge', () => {
  it('shows six rows at first, then all', async () => {
    const files = Array.from({ length: 8 }, (_, at) => ({ ...drawings, id: `fil_${at}${'1'.repeat(25)}` as FileId }));
    show({ files });
    await userEvent.click(await screen.findByRole('button', { name: 'Show 2 more' }));
    expect(await rows()).toHaveLength(8);
  });

  it.each<[string, Shown]>([
    ['to people who can’t upload or read data connections', { role: 'guest' }],
    ['while the project is being deleted', { project: { deleting: true } }],
  ])('adds nothing %s', async (_name, shown) => {
    show({ ...shown, files: [drawings] });
    await screen.findByText('Cabinet drawings.pdf');
    expect(screen.queryByRole('button', { name: 'Connection' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Files' })).toBeNull();
  });
});
