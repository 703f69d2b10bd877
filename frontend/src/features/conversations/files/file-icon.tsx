import { imageEndings } from '@parley/contracts/names';
import { FileSpreadsheet, FileText, Image, Mail, Presentation, type LucideIcon } from 'lucide-react';

const icons: Readonly<Record<string, LucideIcon>> = {
  xlsx: FileSpreadsheet,
  csv: FileSpreadsheet,
  pptx: Presentation,
  eml: Mail,
  heic: Image,
  heif: Image,
  svg: Image,
  ...Object.fromEntries(Object.keys(imageEndings).map((ending) => [ending, Image])),
};

/** Chooses the icon by the extension of the name. */
export function FileIcon({ name, className }: { name: string; className?: string | undefined }) {
  const Icon = icons[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? FileText;
  return <Icon size={18} className={className} />;
}
