import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { UploadedNote } from './uploaded-note.tsx';

const show = (count: number) =>
  renderInOrganisation(<UploadedNote count={count} />, { path: '/:locale/*', at: '/en/settings' });

it('leads from what was uploaded to a new chat', () => {
  show(2);
  expect(screen.getByText(/^2 documents are uploaded/)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Ask about these documents' })).toHaveAttribute('href', '/en/chat');
});

it('asks about this document where one was uploaded', () => {
  show(1);
  expect(screen.getByRole('link', { name: 'Ask about this document' })).toBeInTheDocument();
});
