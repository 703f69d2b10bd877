import type { TestState } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import type { StatusKind } from '../../../ui/status-shape.tsx';

/** How a test stands, in words and by a shape. */
export function useResultWords() {
  const { t } = useText();
  const words: Readonly<Record<TestState, readonly [StatusKind, string]>> = {
    waiting: ['waiting', t({ id: 'studio.result.waiting', defaultMessage: 'Waits' })],
    running: ['running', t({ id: 'studio.result.running', defaultMessage: 'Running' })],
    passed: ['ok', t({ id: 'studio.result.passed', defaultMessage: 'Pass' })],
    failed: ['bad', t({ id: 'studio.result.failed', defaultMessage: 'Fail' })],
    unanswered: ['warning', t({ id: 'studio.result.unanswered', defaultMessage: 'No answer' })],
    skipped: ['off', t({ id: 'studio.result.skipped', defaultMessage: 'Skipped' })],
  };
  return { words, notRun: t({ id: 'studio.result.notRun', defaultMessage: 'Not run' }) };
}
