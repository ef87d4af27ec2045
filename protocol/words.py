"""Two lists of 256 words, one byte a word, for what people compare or say aloud.

Byte `b` is `WORDS["en"][b]` in English and `WORDS["ar"][b]` in Arabic; the words at one place do not
translate each other. The words are everyday nouns that sound and look apart. The Arabic ones are written
without vowel signs and stay distinct when the forms of alef, hamza, ya and ta marbuta are written alike, as
most people type them. Both lists are fixed for ever: a word that moves would make two versions of this
program read one fingerprint differently.
"""

from __future__ import annotations

_ENGLISH = """
acorn album amber angle apple apron arrow atlas attic badge baker banjo barn basin basket beach beaver bell
berry bird blue bone book bottle box brass bread brick bridge broom brush bucket butter button cabin cactus
camel canal candle canoe canyon carpet carrot castle cave cedar chair chalk cheese cherry circle city clay
clock cloud clover coffee comet copper coral cotton cousin crane crown cup curtain daisy dance desk diamond
dinner doctor dolphin donkey door dragon drum duck dust eagle earth echo egg elbow evening falcon farm feather
fence fern field finger fire fish flag flame flute forest fork frog fruit garden garlic gate giraffe glass
glove gold goose grape guitar hammer harbor harp hawk helmet hill honey horn hotel house ice ink iron island
ivory jacket jewel juice jungle kettle kite kitten knife knot ladder lamp lantern leaf lemon letter lily lion
lizard magnet mango map marble market mask meadow melon milk mint mirror moon motor mountain museum nail
napkin needle nest north nurse oak oasis ocean olive onion orange orbit oven owl paddle paint palace palm
panda paper pearl pebble pencil pepper piano picnic pillow pilot planet plum pocket poet pond potato puppy
queen quilt rabbit radio raven ribbon river robin robot roof ruby salad salt sand scarf school seed shark
shell ship silver sky snow soap sofa spider spoon square star stone storm sugar summer swan table tailor
temple tent tiger tomato tower train tree trumpet tulip tunnel turtle umbrella valley velvet violin wagon wall
walnut water wheel window winter wolf yogurt zebra
"""

_ARABIC = """
بحر بدر برج بطة بقرة بلبل بندق بيت باب بئر برتقال بستان بصل بطيخ بوصلة تفاح تمر توت تاج تل تراب تين تمساح ثلج
ثوب ثعلب جبل جمل جرس جزر جزيرة جوز جدار جناح جريدة جمرة جدول جوهرة حصان حجر حديد حديقة حليب حمامة حوت حقل حلم
حرير حقيبة حارس حساء خبز خيمة خاتم خروف خشب خيط خوخ خريف خريطة خليج خيار دار دلو دفتر ديك دينار دب دجاجة دواء
دولاب دلفين ذهب ذئب ذراع رمل ريح رمان ريشة رغيف ربيع رسالة راية رخام زيت زهرة زيتون زورق زجاج زرافة زعتر زقاق
زمرد سماء سفينة سمك سكر سيف سوق ساعة سحاب سرير ستارة سلة سنبلة ساحل سلحفاة سنجاب شمس شجرة شاي شمعة شباك شارع
شتاء شراع شبكة شلال صقر صخرة صيف صابون صحن صندوق صورة صنوبر صحراء ضوء ضفدع ضباب ضيف طائر طريق طاولة طبل طين
طاووس طبيب طماطم ظل ظرف ظبي عسل عنب عين عصفور عود عشب عمود عنقود عربة عقرب عدس غيمة غزال غابة غراب غرفة غصن
فجر فيل فراشة فنجان فانوس فضة فأس فلفل فستق فلاح فندق قمر قلم قلعة قهوة قارب قطة قوس قمح قطار قنديل قميص قرد
قرية قصر قطن قفل قبعة قنفذ كتاب كأس كرسي كوكب كرز كنز كلمة كهف كمان كعك كوخ ليل لوز ليمون لؤلؤ لحن ماء مفتاح
مرآة مركب مطر ملح مسك موج مدينة مكتب مسطرة منديل مظلة منجل مشمش مصباح مقعد ملعقة معطف متحف مطبخ موز ميدان
ميناء محراث نار نجم نهر نخلة نسر نمر نافذة ناي نعناع نور نبع نورس هلال هدهد هدية هواء هرم ورد وادي وتر وطن
وسادة وزير وشاح ياسمين ياقوت يوم
"""

WORDS: dict[str, tuple[str, ...]] = {"en": tuple(_ENGLISH.split()), "ar": tuple(_ARABIC.split())}
"""The list of each language, by its two-letter code."""
