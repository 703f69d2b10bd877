import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ChatFile, FileId } from '@parley/contracts';
import { sampleSite, sampleUploads } from '../../../../testing/connection-samples.ts';
import { installFakeApi } from '../../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../../testing/render.tsx';
import { sampleProject } from '../../../../testing/samples.ts';
import { KnowledgeCard } from './knowledge-card.tsx';

const file = (at: number): ChatFile => ({
  id: `fil_${String(at).repeat(26)}` as FileId,
  name: `Drawing ${at}.pdf`,
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
});

function show(files: ChatFile[], connectionIds: string[] = []) {
  const edits: true[] = [];
  installFakeApi({
    'GET /api/chat/projects/:projectId/files': () => ({ items: files }),
    'GET /api/chat/connections': () => ({ items: [sampleUploads, sampleSite()] }),
  });
  const project = { ...sampleProject, connectionIds: connectionIds as never };
  renderInOrganisation(<KnowledgeCard project={project} onEdit={() => edits.push(true)} />, {
    path: '/:locale/chat',
    at: '/en/chat',
  });
  return edits;
}

it('names the first connections and files, and counts the others', async () => {
  const site = sampleSite();
  const edits = show([file(1), file(2), file(3)], [site.id]);
  expect(await screen.findByText('Drawing 1.pdf')).toBeInTheDocument();
  expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual([site.name, 'Drawing 1.pdf', '2 more']);
  await userEvent.click(screen.getByRole('button', { name: 'Edit: Files and knowledge' }));
  expect(edits).toEqual([true]);
});

it('says that a project has no knowledge', async () => {
  show([]);
  expect(await screen.findByText(/^None yet/)).toBeInTheDocument();
});
