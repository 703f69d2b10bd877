import type { ErrorDrop, ErrorGroup, ErrorState, Failing } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import type { StatusKind } from '../../../ui/status-shape.tsx';

/** Services are called what they are called; only the two that are none have words. */
export function useDeployableName(): (deployable: Failing) => string {
  const { t } = useText();
  return (deployable) => {
    if (deployable === 'browser') return t({ id: 'installation.errors.browser', defaultMessage: 'Browser' });
    if (deployable === 'embedded') return t({ id: 'installation.errors.process', defaultMessage: 'Process' });
    return deployable;
  };
}

export function useErrorStates(): Record<ErrorState, { words: string; shape: StatusKind }> {
  const { t } = useText();
  return {
    new: { words: t({ id: 'installation.errors.state.new', defaultMessage: 'New' }), shape: 'new' },
    known: { words: t({ id: 'installation.errors.state.known', defaultMessage: 'Known' }), shape: 'waiting' },
    back: { words: t({ id: 'installation.errors.state.back', defaultMessage: 'Back again' }), shape: 'warning' },
    resolved: { words: t({ id: 'installation.errors.state.resolved', defaultMessage: 'Resolved' }), shape: 'ok' },
  };
}

export function useDropNames(): Record<ErrorDrop, string> {
  const { t } = useText();
  return {
    size: t({ id: 'installation.errors.drop.size', defaultMessage: 'Larger than allowed' }),
    rate: t({ id: 'installation.errors.drop.rate', defaultMessage: 'More than allowed in a minute' }),
    malformed: t({ id: 'installation.errors.drop.malformed', defaultMessage: 'No report of an error' }),
    items: t({ id: 'installation.errors.drop.items', defaultMessage: 'Of another kind, or too many at once' }),
    depth: t({ id: 'installation.errors.drop.depth', defaultMessage: 'Nested too deep' }),
    groups: t({ id: 'installation.errors.drop.groups', defaultMessage: 'Beyond 1,000 groups' }),
  };
}

/** Names of the program, in its own script. */
export const titleOf = ({ type, code }: Pick<ErrorGroup, 'type' | 'code'>): string =>
  code === null ? type : `${type} ${code}`;

/** Of a bundle the part that it was made of: lines, and most names, say nothing there. */
export const placeOf = ({ place, deployable }: Pick<ErrorGroup, 'place' | 'deployable'>): string => {
  if (!place) return '—';
  const { function: name, file, line } = place;
  const base = file.slice(file.lastIndexOf('/') + 1);
  if (deployable === 'browser') return base.replace(/-[\w-]{8}\.js$/, '');
  const where = `${base}${line === null ? '' : `:${line}`}`;
  return name === '?' ? where : `${name} · ${where}`;
};
