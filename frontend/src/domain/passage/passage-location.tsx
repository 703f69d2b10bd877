import type { Citation } from '@parley/contracts';
import { useLocationWords } from './use-location-words.ts';

/** Below the name of a document: the part of it in which a passage stands, and the titles above it. */
export function PassageLocation({
  className,
  passage,
}: {
  className: string | undefined;
  passage: Pick<Citation, 'heading' | 'place'>;
}) {
  const words = useLocationWords();
  const { heading, place } = passage;
  if (!heading && !place) return null;
  return (
    <span className={className}>
      {place ? <bdi>{words(place)}</bdi> : null}
      {place && heading ? ' · ' : null}
      {heading ? <bdi>{heading}</bdi> : null}
    </span>
  );
}
