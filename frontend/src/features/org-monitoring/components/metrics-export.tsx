import { Button } from '@mantine/core';
import type { MetricSpan } from '@parley/contracts';
import { Download } from 'lucide-react';
import { saveCsv } from '../../../lib/csv.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { csvRowsOf } from '../metrics-csv.ts';
import type { Metrics } from './metrics.ts';

export function MetricsExport({ metrics, span }: { metrics: Metrics; span: MetricSpan }) {
  const { t } = useText();
  const { slug } = useTab().organisation;
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Download />}
      onClick={() => void saveCsv(`monitoring-${slug}-${span}.csv`, csvRowsOf(metrics))}
    >
      {t({ id: 'monitoring.trends.export', defaultMessage: 'Save as CSV' })}
    </Button>
  );
}
