import { expect, it } from '@jest/globals';
import type { Model, ModelKey } from '@parley/contracts';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { AnswererPicker } from './answerer-picker.tsx';

const modelsNamed = (...names: string[]): Model[] =>
  names.map((label) => ({
    key: `prv_${'1'.padStart(26, '0')}/${label}` as ModelKey,
    label,
    providerName: label.startsWith('qwen') ? 'Ollama' : 'OpenAI',
    isDefault: false,
    context: null,
  }));

async function open(models: Model[]): Promise<void> {
  const picking = { chatbots: [], onBot: () => undefined, onModel: () => undefined };
  renderInOrganisation(
    <AnswererPicker {...picking} models={models} answerer={{ chatbot: null, model: models[0]! }} />,
    { path: '/:locale/chat', at: '/en/chat' },
  );
  await userEvent.click(screen.getByRole('button', { name: /Choose another one/ }));
  await screen.findAllByRole('menuitem');
}
const shown = () => screen.queryAllByRole('menuitem').map(({ textContent }) => textContent);

it('finds one of many by its name or that of its provider', async () => {
  await open(modelsNamed('gpt-5', 'gpt-5-mini', 'o4', 'o4-mini', 'qwen3:8b', 'qwen3:32b'));
  const search = screen.getByRole('searchbox', { name: 'Search' });
  await waitFor(() => expect(search).toHaveFocus());
  await userEvent.keyboard('mini');
  expect(shown()).toEqual(['gpt-5-miniOpenAI', 'o4-miniOpenAI']);
  await userEvent.clear(search);
  await userEvent.type(search, 'OLLAMA 32');
  expect(shown()).toEqual(['qwen3:32bOllama']);
  await userEvent.type(search, 'x');
  expect(screen.getByText('Nothing matches.')).toBeInTheDocument();
});

it('has no search where all are in sight', async () => {
  await open(modelsNamed('gpt-5', 'o4'));
  expect(screen.queryByRole('searchbox')).toBeNull();
});
