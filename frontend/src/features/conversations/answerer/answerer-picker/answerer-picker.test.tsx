import { expect, it } from '@jest/globals';
import type { Chatbot, ChatbotId, Model, ModelKey } from '@parley/contracts';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderInOrganisation } from '../../../../testing/render.tsx';
import { AnswererPicker } from './index.tsx';

const modelsNamed = (...names: string[]): Model[] =>
  names.map((label) => ({
    key: `prv_${'1'.padStart(26, '0')}/${label}` as ModelKey,
    label,
    providerName: label.startsWith('qwen') ? 'Ollama' : 'OpenAI',
    isDefault: false,
    context: null,
  }));

const onlyChatbot: Chatbot = {
  id: `bot_${'1'.padStart(26, '0')}` as ChatbotId,
  name: 'Assistant',
  glyph: 'book',
  version: 1,
  isDefault: true,
  model: null,
  starters: [],
};

async function open(models: Model[], chatbots: Chatbot[] = []): Promise<string[]> {
  const chosen: string[] = [];
  const picking = { chatbots, onBot: () => undefined, onModel: (key: ModelKey) => chosen.push(key) };
  renderInOrganisation(
    <AnswererPicker {...picking} models={models} answerer={{ chatbot: null, model: models[0]! }} />,
    { path: '/:locale/chat', at: '/en/chat' },
  );
  await userEvent.click(screen.getByRole('button', { name: /Choose another one/ }));
  await screen.findAllByRole('menuitem');
  return chosen;
}
const shown = () => screen.queryAllByRole('menuitem').map(({ textContent }) => textContent);

it('finds a model by its name or its provider’s name', async () => {
  await open(modelsNamed('gpt-5', 'gpt-5-mini', 'o4', 'o4-mini', 'qwen3:8b', 'qwen3:32b'));
  const search = screen.getByRole('searchbox', { name: 'Search' });
  await userEvent.type(search, 'mini');
  expect(shown()).toEqual(['gpt-5-miniOpenAI', 'o4-miniOpenAI']);
  await userEvent.clear(search);
  await userEvent.type(search, 'OLLAMA 32');
  expect(shown()).toEqual(['qwen3:32bOllama']);
  await userEvent.type(search, 'x');
  expect(screen.getByText('Nothing matches.')).toBeInTheDocument();
});

it('focuses the search when the menu opens; arrow keys choose from there', async () => {
  const models = modelsNamed('gpt-5', 'gpt-5-mini', 'o4', 'o4-mini', 'qwen3:8b', 'qwen3:32b');
  const chosen = await open(models);
  await waitFor(() => expect(screen.getByRole('searchbox')).toHaveFocus());
  await userEvent.keyboard('qwen{ArrowDown}{ArrowDown}{Enter}');
  expect(chosen).toEqual([models[5]!.key]);
});

it('shows no search with fewer than six models', async () => {
  // A single chatbot isn't listed, because there is nothing to choose.
  await open(modelsNamed('gpt-5', 'o4', 'o5', 'o6', 'o7'), [onlyChatbot]);
  expect(screen.queryByRole('searchbox')).toBeNull();
});
