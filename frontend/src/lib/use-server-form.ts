import { useForm, type FormValidateInput } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ProblemCode } from '@parley/protocol';
import { useRef, type FormEvent } from 'react';
import { isProblem, type ProblemError } from './http.ts';
import { useProblemText } from './problem-texts.ts';
import { useText } from './text.ts';

type Fields = Record<string, unknown>;
type FieldOf<Values> = Extract<keyof Values, string>;

/** What the server refused and no field can show: said once, above the button. */
export type FormFailure = { readonly error: ProblemError | Error; readonly text: string; readonly details: string[] };

type Options<Values extends Fields, Answer> = {
  initialValues: Values;
  /** By field: what is wrong with a value, in words, or null. */
  validate: FormValidateInput<Values>;
  send: (values: Values) => Promise<Answer>;
  onSent: (answer: Answer) => void | Promise<void>;
  onRefused?: (error: Error) => void;
  /** Problems that are about one field: they are shown there. */
  fieldOfProblem?: { readonly [Code in ProblemCode]?: FieldOf<Values> };
};

/**
 * A form that is checked here and then by the server: what it refuses stands at the field it names (`body.name`), all
 * else in `failure`. What was typed stays. Inputs carry the field as their `name`; the first wrong one gets the focus.
 */
export function useServerForm<Values extends Fields, Answer>({
  initialValues,
  validate,
  send,
  onSent,
  onRefused,
  fieldOfProblem = {},
}: Options<Values, Answer>) {
  const { t } = useText();
  const describe = useProblemText();
  const element = useRef<HTMLFormElement>(null);
  const saving = useMutation({
    mutationFn: send,
    onSuccess: onSent,
    onError: (error) => {
      const { atFields } = sortRefusal(error);
      form.setErrors(atFields);
      focusFirst(element.current, atFields);
      onRefused?.(error);
    },
  });
  const form = useForm<Values>({ initialValues, validate, onValuesChange: () => saving.reset() });

  /** What of a refusal a field can show, and what is left over. */
  const sortRefusal = (error: Error): { atFields: Record<string, string>; details: string[]; isAllShown: boolean } => {
    const known = isProblem(error) ? fieldOfProblem[error.code] : undefined;
    if (known) return { atFields: { [known]: describe(error).text }, details: [], isAllShown: true };
    const faults = (isProblem(error, 'platform.invalid-request') && error.problem.errors) || [];
    const fieldOf = (path: string) => /^body\.(\w+)/.exec(path)?.[1] ?? '';
    const isOurs = ({ path }: { path: string }) => fieldOf(path) in initialValues;
    const refused = (reason: string) =>
      t({ id: 'list.field.refused', defaultMessage: 'The server did not accept this: {reason}' }, { reason });
    return {
      atFields: Object.fromEntries(faults.filter(isOurs).map(({ path, message }) => [fieldOf(path), refused(message)])),
      details: faults.filter((fault) => !isOurs(fault)).map(({ path, message }) => `${path}: ${message}`),
      isAllShown: faults.length > 0 && faults.every(isOurs),
    };
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    element.current = event.currentTarget;
    const { hasErrors, errors } = form.validate();
    if (hasErrors) return focusFirst(element.current, errors);
    if (!saving.isPending) saving.mutate(form.getValues());
  };
  const refusal = saving.error && sortRefusal(saving.error);
  const failure: FormFailure | null =
    saving.error && refusal && !refusal.isAllShown
      ? { error: saving.error, text: describe(saving.error).text, details: refusal.details }
      : null;
  return { fields: form, submit, failure, isBusy: saving.isPending };
}

/** In the order in which they stand on the page. */
function focusFirst(element: HTMLFormElement | null, errors: object): void {
  const wrong = [...(element?.elements ?? [])].find((input) => (input.getAttribute('name') ?? '') in errors);
  if (wrong instanceof HTMLElement) wrong.focus();
}
