import type { MetricFigures } from '@parley/contracts';
import type { CsvRow } from '../../lib/csv.ts';
import type { Answer } from '../../lib/http.ts';

type Metrics = Answer<'GET /api/monitoring/metrics'>;

const rowOf = (part: string, start: string, figures: MetricFigures): CsvRow => ({
  part,
  start,
  attempts: figures.attempts,
  failed: figures.failed,
  input_tokens: figures.inputTokens,
  output_tokens: figures.outputTokens,
  embedding_tokens: figures.embeddingTokens,
  first_token_p50_ms: figures.firstTokenP50Ms,
  first_token_p95_ms: figures.firstTokenP95Ms,
  cut: figures.cut,
});

/** Each part's sum, marked `total`, then everything step by step; ids as they are, so that programs can read it. */
export const csvRowsOf = ({ starts, all, parts, total }: Metrics): CsvRow[] => [
  rowOf('all', 'total', total.figures),
  ...parts.map(({ id, figures }) => rowOf(id, 'total', figures)),
  ...starts.map((start, index) => rowOf('all', start, all[index] ?? total.figures)),
];
