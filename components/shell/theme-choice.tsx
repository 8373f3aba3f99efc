import { Monitor, Moon, Sun } from "lucide";
import { chooseTheme } from "./actions.ts";
import { Icon } from "./icon.tsx";

const choices = [
  { value: "system", name: "As the system", icon: Monitor },
  { value: "light", name: "Light", icon: Sun },
  { value: "dark", name: "Dark", icon: Moon },
] as const;

/** Light, dark or as the system; a form, so it works without JavaScript. */
export function ThemeChoice({ current }: { readonly current: string }) {
  return (
    <form action={chooseTheme} aria-label="Appearance" className="flex rounded-md border border-line p-0.5">
      {choices.map(({ value, name, icon }) => (
        <button
          key={value}
          name="theme"
          value={value}
          aria-label={name}
          title={name}
          aria-pressed={current === value}
          className="grid size-6 cursor-pointer pointer-coarse:size-11 place-items-center rounded-sm text-ink-faint hover:text-ink aria-pressed:bg-selected aria-pressed:text-ink"
        >
          <Icon of={icon} size={14} />
        </button>
      ))}
    </form>
  );
}
