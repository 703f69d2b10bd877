import { expect, it } from '@jest/globals';
import type { ProblemCode } from '@parley/protocol';
import { act, render, screen, waitFor } from '@testing-library/react';
import { ProblemError } from './http.ts';
import { IntlWrapper } from '../testing/render.tsx';
import { useServerForm } from './use-server-form.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';

type Send = (values: { name: string }) => Promise<void>;
function Form({ send }: { readonly send: Send }) {
  const { fields, submit, failure, isBusy } = useServerForm({
    initialValues: { name: '' },
    validate: {},
    send,
    onSent: () => undefined,
    fieldOfProblem: { 'org.name-taken': 'name' },
  });
  return (
    <form onSubmit={submit} aria-label="form" aria-busy={isBusy}>
      <input name="name" />
      <p role="note">{fields.errors['name']}</p>
      {failure && <p role="alert">{[failure.text, ...failure.details].join(' ')}</p>}
    </form>
  );
}
const shown = (send: Send) => {
  const client = new QueryClient();
  render(
    <QueryClientProvider client={client}>
      <IntlWrapper>
        <Form send={send} />
      </IntlWrapper>
    </QueryClientProvider>,
  );
  return () => act(async () => screen.getByRole<HTMLFormElement>('form').requestSubmit());
};
const problem = (code: ProblemCode, paths: string[] = []) =>
  new ProblemError({
    type: '',
    title: '',
    status: 400,
    code,
    ...(paths.length > 0 && { errors: paths.map((path) => ({ path, message: `wrong ${path}` })) }),
  });

it('is sent once, however often it is submitted before the answer, and again after it', async () => {
  const answers: PromiseWithResolvers<void>[] = [];
  const submit = shown(() => {
    const answer = Promise.withResolvers<void>();
    answers.push(answer);
    return answer.promise;
  });
  await submit();
  await submit();
  expect(answers).toHaveLength(1);
  answers[0]!.resolve();
  await waitFor(() => expect(screen.getByRole('form').getAttribute('aria-busy')).toBe('false'));
  await submit();
  expect(answers).toHaveLength(2);
});

it.each([problem('org.name-taken'), problem('platform.invalid-request', ['body.name'])])(
  'says a refusal at the field it is about',
  async (refusal) => {
    const submit = shown(() => Promise.reject(refusal));
    await submit();
    expect(screen.getByRole('note').textContent).not.toBe('');
    expect(screen.queryByRole('alert')).toBeNull();
  },
);

it('says above the button what no field can show', async () => {
  const submit = shown(() => Promise.reject(problem('platform.invalid-request', ['body.name', 'body.other'])));
  await submit();
  expect(screen.getByRole('note').textContent).not.toBe('');
  expect(screen.getByRole('alert').textContent).toContain('body.other: wrong body.other');
});

it('says above the button a refusal without a field', async () => {
  const submit = shown(() => Promise.reject(problem('platform.conflict')));
  await submit();
  expect(screen.getByRole('alert').textContent).not.toBe('');
});
