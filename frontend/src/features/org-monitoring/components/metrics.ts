import type { Answer } from '../../../lib/http.ts';

export type Metrics = Answer<'GET /api/monitoring/metrics'>;
