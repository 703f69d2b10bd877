import type { ChatbotGlyph } from '@parley/contracts';
import {
  BookOpen,
  Bot,
  Briefcase,
  CodeXml,
  Compass,
  Globe,
  Heart,
  Scale,
  Shield,
  Users,
  Wrench,
  Zap,
  type LucideIcon,
} from 'lucide-react';

/** The pictures of chatbots, in the order in which they are offered. */
export const glyphs: Readonly<Record<ChatbotGlyph, LucideIcon>> = {
  bot: Bot,
  bolt: Zap,
  book: BookOpen,
  briefcase: Briefcase,
  code: CodeXml,
  compass: Compass,
  globe: Globe,
  heart: Heart,
  scale: Scale,
  shield: Shield,
  users: Users,
  wrench: Wrench,
};
